// Reports of torch.onnx.export.
#pragma once

#include <string>
#include <vector>

namespace ersatz {

struct OnnxStep {
  std::string name;  ///< "Decompose operators for ONNX compatibility"
  enum class Outcome { Passed, Failed, NotRun } outcome = Outcome::NotRun;
};

/// Returns the list of steps at the head of a report. Returns an empty list for an exception: only `onnx_step` reads
/// that.
std::vector<OnnxStep> onnx_steps(const std::vector<std::string>& lines);
/// Returns `1/3` of "This is step 1/3 of exporting the model to ONNX", empty if the text has no line of this form.
std::string onnx_step(const std::vector<std::string>& lines);

}  // namespace ersatz
