// Evaluates symbols in calls that also run for real.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Returns whether a value contains a symbolic expression: in a tensor's metadata or storage size, as a number, or in a
/// list.
bool holds_symbols(std::span<const Value> values);
bool holds_symbols(const RuleResult& rule);

/// Returns a number, a list of integers or another leaf with its expressions replaced by hints and real values. Returns
/// nullopt if a symbol has neither. REQUIRES: `leaf` is no tensor and no list of values.
std::optional<Value> at_real_values(const ShapeEnv& env, const Value& leaf);
/// Like at_real_values(env, leaf), for an output of a rule. OutputSpec::source is unchanged.
std::optional<OutputSpec> at_real_values(const ShapeEnv& env, const OutputSpec& output);

/// Stores in `env` the values of symbols in a rule's output, from the real result.
void learn_real_values(ShapeEnv& env, const OutputSpec& output, const Value& real);

}  // namespace ersatz
