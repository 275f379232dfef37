// Names of operators that are known, and that ersatz will not have: each with what is missing and what would work.
//
// A row is a namespace (`quantized`), an operator (`aten.coalesce`, all overloads), one overload or the beginning of an
// operator's name (`aten.sparse_*`). A name under a row that is registered nevertheless is an operator like any other.
// Rows come from the kernels room while the registry is filled; reading them is safe on any thread afterwards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct RefusedName {
  std::string pattern;
  std::string words;       ///< `sparse layouts are not supported`
  std::string suggestion;  ///< `leave the tensor dense`
};

/// Adds a row, or replaces the one of that pattern.
void refuse_name(RefusedName row);
/// The row that a name falls under, in any accepted spelling with a namespace; null where none does, or where an
/// operator of that name is registered.
const RefusedName* refused_name(std::string_view name);
/// All rows, in the order in which they came.
const std::vector<RefusedName>& refused_names();
/// `refused by name: <words>; <suggestion>`; empty where the name is not refused.
std::string refusal_by_name(std::string_view name);

}  // namespace ersatz
