// What the rules of CUDA's attention ops answer and refuse, for tests: no GPU is needed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace cuda_answers {

using Keywords = std::vector<std::pair<std::string, Value>>;

/// `f16[2,4,5,8]` on cuda:0, of metadata only.
inline Tensor on_cuda(std::string_view text) { return shape_only(std::string(text) + "@cuda:0"); }

/// The results' metadata, numbers and `none`.
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

/// The label of the error, else its message; empty where there is none.
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
