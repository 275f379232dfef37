// Finds operators by the names that users write.
//
// A name is `add`, `add.Tensor`, `aten.add` or `aten.add.Tensor`. `::` may replace the dot after a namespace:
// `aten::add`, `my::op`. `torch.ops.my.op` is accepted too. A name without an overload means all overloads of the
// operator; a name without a namespace means the operators of that name in every namespace.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Does `written` mean the operator with the canonical name `canonical` (`aten.add.Tensor`)? The operator need not be
/// registered.
bool op_name_means(std::string_view written, std::string_view canonical);

/// Returns the parts of a name that may be the operator's base name, without namespace and overload: `a` and `b` of
/// `a.b`.
std::vector<std::string_view> bases_written(std::string_view written);

/// Returns the registered operators that a name means, sorted; empty if it means none.
std::vector<const OpEntry*> ops_meant(std::string_view written);
/// Like ops_meant, but raises NotSupported with a list of similar names if there is none.
std::vector<const OpEntry*> ops_named(std::string_view written);

/// Returns `no operator is named X`, with the overloads of its base name, or else with the most similar names.
std::string no_operator_named(std::string_view written);

}  // namespace ersatz
