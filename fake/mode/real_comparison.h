// Describes the differences between a rule's result and the real run's result, in the wording of PyTorch's real tensor
// propagation.
//
// compare() (fake/outcome/compare.h) finds the differences. Significant differences of metadata, differences of numbers
// and of shared storage are described.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/outcome/compare.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Returns one sentence for each result that differs, and one for all differences in shared storage. A sentence names
/// only the first field that differs: rank, then sizes, then the others. `arguments` is the number of tensor arguments.
std::vector<std::string> real_mismatches(const OpEntry& op, const Outcome& predicted, const Outcome& observed,
                                         size_t arguments);

/// For an op without a rule: returns an error message if a result shares storage and the schema's annotations do not
/// declare it; else nullopt.
std::optional<std::string> undeclared_alias(const OpEntry& op, std::span<const Value> args,
                                            std::span<TensorImpl* const> reals, std::span<const Value> real);

/// Returns the schema position of the argument that is, or contains, tensor argument number `n`; -1 if there is none.
int argument_of(const OpEntry& op, std::span<const Value> args, size_t n);

}  // namespace ersatz
