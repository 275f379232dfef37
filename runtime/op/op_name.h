// Operators by the names that people write.
//
// A name is `add`, `add.Tensor`, `aten.add` or `aten.add.Tensor`, and behind a namespace `::` may stand for the dot:
// `aten::add`, `my::op`, `torch.ops.my.op`. Without an overload a name means all overloads of the operator; without a
// namespace it means the operators of that name in every namespace.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Is the operator of that canonical name (`aten.add.Tensor`) one that `written` means? The operator need not be
/// registered.
bool op_name_means(std::string_view written, std::string_view canonical);

/// The pieces of a name that may be the operator's own, without namespace and overload: `a` and `b` of `a.b`.
std::vector<std::string_view> bases_written(std::string_view written);

/// The registered operators that a name means, sorted; none where it means none.
std::vector<const OpEntry*> ops_meant(std::string_view written);
/// The same; NotSupported listing near names where there is none.
std::vector<const OpEntry*> ops_named(std::string_view written);

/// `no operator is named X`, with what there is instead: the overloads of its name, else the names nearest to it.
std::string no_operator_named(std::string_view written);

}  // namespace ersatz
