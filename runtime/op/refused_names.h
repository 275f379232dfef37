// Names of operators that ersatz knows but does not support. Each row has the missing feature and an alternative.
//
// A row's pattern is a namespace (`quantized`), an operator with all overloads (`aten.coalesce`), one overload, or the
// beginning of an operator's name (`aten.sparse_*`). A registered operator is not refused, even if a pattern matches
// its name. kernels/ adds the rows while the registry is filled; afterwards any thread may read them.
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

/// Adds a row, or replaces the row that has the same pattern.
void refuse_name(RefusedName row);
/// Returns the row that matches a name with a namespace, in any accepted spelling. Null if no row matches, or if an
/// operator of that name is registered.
const RefusedName* refused_name(std::string_view name);
/// Returns all rows in the order in which they were added.
const std::vector<RefusedName>& refused_names();
/// Returns `refused by name: <words>; <suggestion>`; empty if no row matches.
std::string refusal_by_name(std::string_view name);

}  // namespace ersatz
