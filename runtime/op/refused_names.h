// Names of known operators that ersatz does not support, each with the missing feature and an alternative.
//
// A row is a namespace (`quantized`), an operator (`aten.coalesce`, all overloads), one overload or the beginning of an
// operator's name (`aten.sparse_*`). A registered operator is not refused, even if a row matches its name. kernels/
// adds the rows while the registry is filled. Afterwards any thread may read them.
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

/// Adds a row, or replaces the row with that pattern.
void refuse_name(RefusedName row);
/// Returns the row that matches a name, in any accepted spelling with a namespace. Null if none matches or if an
/// operator of that name is registered.
const RefusedName* refused_name(std::string_view name);
/// Returns all rows in the order of their addition.
const std::vector<RefusedName>& refused_names();
/// Returns `refused by name: <words>; <suggestion>`; empty if no row matches.
std::string refusal_by_name(std::string_view name);

}  // namespace ersatz
