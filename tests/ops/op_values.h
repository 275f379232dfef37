// Helpers for tests of kernels, in addition to op_calls.h: elements as doubles, and any output of a rule.
#pragma once

#include "tests/ops/op_calls.h"

namespace ersatz {

/// Real parts of the elements in row-major order. REQUIRES: a real CPU tensor.
inline std::vector<double> values_of(const Tensor& t) {
  std::vector<double> values;
  for (std::complex<double> z : elements(t)) values.push_back(z.real());
  return values;
}

/// The metadata that the rule of `op` predicts for output `i`, in full spelling. REQUIRES: `args` has every argument.
inline std::string rule_answer_of(std::string_view op, const std::vector<Value>& args, size_t i) {
  RuleResult result;
  run_rule(op_named(op), args, result);
  return to_string(result.outputs[i].meta);
}

}  // namespace ersatz
