// Values of symbols in calls that also run for real.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Is there an expression in a value: in a tensor's metadata or storage size, a number, or an item of a list?
bool holds_symbols(std::span<const Value> values);
bool holds_symbols(const RuleResult& rule);

/// Returns a number, a list of integers or another leaf with its expressions replaced by hints and real values. Empty
/// if a symbol has neither. REQUIRES: no tensor, no list of values.
std::optional<Value> at_real_values(const ShapeEnv& env, const Value& leaf);
/// Like at_real_values(env, leaf), for an output of a rule. Its source tensors are unchanged.
std::optional<OutputSpec> at_real_values(const ShapeEnv& env, const OutputSpec& output);

/// Gives the symbols in a rule's output the values that the real result has.
void learn_real_values(ShapeEnv& env, const OutputSpec& output, const Value& real);

}  // namespace ersatz
