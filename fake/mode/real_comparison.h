// The rule's answer against what the real run returned: every field, rank first.
//
// Metadata by diff() (runtime/tensor/meta_diff.h), significant fields alone; then numbers, and who shares storage with
// whom.
#pragma once

#include <optional>
#include <string>

#include "fake/watch/alias_map.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// What differs, in words; none where nothing does. `fake` is the rule's answer for output `k`, `real` a tensor or a
/// number.
std::optional<std::string> real_mismatch(const OpEntry& op, size_t k, const OutputSpec& fake, const Value& real);

/// The same for the number of outputs.
std::optional<std::string> real_count_mismatch(const OpEntry& op, const RuleResult& fake, std::span<const Value> real);

/// Who shares storage with whom. `fakes` and `reals` are the call's flat tensor arguments. Without `own_bytes` storages
/// count as one only if they are the same object: arguments that are lazy copies may share bytes and are not aliases.
std::optional<std::string> real_alias_mismatch(const OpEntry& op, std::span<TensorImpl* const> fakes,
                                               std::span<TensorImpl* const> reals, const RuleResult& fake,
                                               std::span<const Value> real, bool own_bytes);

/// The same where there is no rule: results may share only what the schema's annotations say.
std::optional<std::string> undeclared_alias(const OpEntry& op, std::span<const Value> args,
                                            std::span<TensorImpl* const> reals, std::span<const Value> real);

/// Schema position of the argument that holds the call's flat tensor `n`, or -1.
int argument_of(const OpEntry& op, std::span<const Value> args, size_t n);

}  // namespace ersatz
