// Symbols in calls that also run for real: the numbers that they stand for there.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Does one hold an expression: a tensor's metadata or storage size, a number, or an item of a list?
bool holds_symbols(std::span<const Value> values);
bool holds_symbols(const RuleResult& rule);

/// A number, a list of integers or another leaf with hints and real values for its expressions; empty where a symbol
/// has neither. REQUIRES: no tensor, no list of values.
std::optional<Value> at_real_values(const ShapeEnv& env, const Value& leaf);
/// The same of what a rule said. Its sources are the rule's.
std::optional<OutputSpec> at_real_values(const ShapeEnv& env, const OutputSpec& output);

/// The symbols that a rule's output consists of get the values that the real result has.
void learn_real_values(ShapeEnv& env, const OutputSpec& output, const Value& real);

}  // namespace ersatz
