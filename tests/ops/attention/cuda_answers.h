// Results and errors that the rules of CUDA's attention ops predict without a GPU.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace cuda_answers {

using Keywords = std::vector<std::pair<std::string, Value>>;

/// A tensor on cuda:0 with metadata only, for example from `f16[2,4,5,8]`.
inline Tensor on_cuda(std::string_view text) { return shape_only(std::string(text) + "@cuda:0"); }

/// Returns the results of a call as text: metadata, numbers or `none`.
inline std::vector<std::string> answers(std::string_view op, std::vector<Value> positional, Keywords keywords = {}) {
  const OpEntry& entry = op_named(op);
  const std::vector<Value> args = bind_arguments(entry.schema, positional, keywords);
  RuleResult result;
  run_rule(entry, args, result);
  std::vector<std::string> spelled;
  for (const OutputSpec& o : result.outputs) {
    spelled.push_back(o.kind == OutputSpec::Kind::None     ? "none"
                      : o.kind == OutputSpec::Kind::Number ? to_string(o.number)
                                                           : to_string(o.meta));
  }
  return spelled;
}

/// The label of the error that the call raises; its message if it has no label; empty if the call succeeds.
inline std::string refusal(std::string_view op, std::vector<Value> positional, Keywords keywords = {}) {
  try {
    answers(op, std::move(positional), std::move(keywords));
  } catch (const Error& e) {
    return e.label.empty() ? e.message : e.label;
  }
  return "";
}

}  // namespace cuda_answers
}  // namespace ersatz
