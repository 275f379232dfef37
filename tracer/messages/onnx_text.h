// Reports of torch.onnx.export.
#pragma once

#include <string>
#include <vector>

namespace ersatz {

struct OnnxStep {
  std::string name;  ///< "Decompose operators for ONNX compatibility"
  enum class Outcome { Passed, Failed, NotRun } outcome = Outcome::NotRun;
};

/// The list at the head of the report; empty for an exception, which names its step by `step` alone.
std::vector<OnnxStep> onnx_steps(const std::vector<std::string>& lines);
/// `1/3` of "This is step 1/3 of exporting the model to ONNX"; empty where the text has no such line.
std::string onnx_step(const std::vector<std::string>& lines);

}  // namespace ersatz
