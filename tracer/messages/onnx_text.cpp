#include "tracer/messages/onnx_text.h"

#include <optional>
#include <string_view>
#include <utility>

#include "tracer/messages/python_text.h"

namespace ersatz {

std::vector<OnnxStep> onnx_steps(const std::vector<std::string>& lines) {
  using Outcome = OnnxStep::Outcome;
  constexpr std::pair<std::string_view, Outcome> kMarks[] = {{"\xe2\x9c\x85 ", Outcome::Passed},
                                                             {"\xe2\x9d\x8c ", Outcome::Failed},
                                                             {"\xe2\x9a\xaa ", Outcome::NotRun},
                                                             {"\xe2\x9a\xaa\xef\xb8\x8f ", Outcome::NotRun}};
  std::vector<OnnxStep> steps;
  for (const std::string& line : lines) {
    for (const auto& [mark, outcome] : kMarks) {
      if (line.starts_with(mark)) steps.push_back({std::string(trimmed(line.substr(mark.size()))), outcome});
    }
  }
  return steps;
}

std::string onnx_step(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (const auto step = between(line, "This is step ", " of exporting")) return std::string(trimmed(*step));
  }
  return {};
}

}  // namespace ersatz
