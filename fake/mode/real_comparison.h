// The differences between a rule's result and the real run's result, in the wording of real-tensor propagation.
//
// compare() (fake/outcome/compare.h) finds the differences: significant differences of metadata, numbers, and shared
// storage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/outcome/compare.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Returns one sentence for each result that differs, rank first, and one for all differences in sharing. `arguments`
/// is the number of tensors among the call's arguments.
std::vector<std::string> real_mismatches(const OpEntry& op, const Outcome& predicted, const Outcome& observed,
                                         size_t arguments);

/// For an op without a rule: results may share storage only as the schema's annotations declare.
std::optional<std::string> undeclared_alias(const OpEntry& op, std::span<const Value> args,
                                            std::span<TensorImpl* const> reals, std::span<const Value> real);

/// Returns the schema position of the argument that has the call's flat tensor `n`, or -1.
int argument_of(const OpEntry& op, std::span<const Value> args, size_t n);

}  // namespace ersatz
