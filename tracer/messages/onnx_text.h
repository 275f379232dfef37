// Reports of torch.onnx.export.
#pragma once

#include <string>
#include <vector>

namespace ersatz {

struct OnnxStep {
  std::string name;  ///< for example "Decompose operators for ONNX compatibility"
  enum class Outcome { Passed, Failed, NotRun } outcome = Outcome::NotRun;
};

/// Returns the list of steps at the start of a report. Empty for an exception, which only `onnx_step` reads.
std::vector<OnnxStep> onnx_steps(const std::vector<std::string>& lines);
/// Returns `1/3` from "This is step 1/3 of exporting the model to ONNX"; empty if there is no line of this form.
std::string onnx_step(const std::vector<std::string>& lines);

}  // namespace ersatz
