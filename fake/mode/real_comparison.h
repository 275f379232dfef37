// A rule's answer and what the real run returned: what differs, in the words of real-tensor propagation.
//
// compare() (fake/outcome/compare.h) says what differs: significant differences of metadata in every field, numbers,
// and who shares storage with whom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/outcome/compare.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// One sentence for each result that differs, rank first, and one for the sharing of all. `arguments`: how many tensors
/// the call's arguments have.
std::vector<std::string> real_mismatches(const OpEntry& op, const Outcome& predicted, const Outcome& observed,
                                         size_t arguments);

/// Where there is no rule: results may share only what the schema's annotations say.
std::optional<std::string> undeclared_alias(const OpEntry& op, std::span<const Value> args,
                                            std::span<TensorImpl* const> reals, std::span<const Value> real);

/// Schema position of the argument that holds the call's flat tensor `n`, or -1.
int argument_of(const OpEntry& op, std::span<const Value> args, size_t n);

}  // namespace ersatz
