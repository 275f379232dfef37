// `ersatz fake --backward`: runs a program forward and backward without data.
#pragma once

#include "tools/program/fake_run.h"

namespace ersatz::tools {

/// One leaf: a parameter, or a user input with a floating point or complex dtype.
struct GradientRow {
  std::string name;
  bool is_parameter = false;
  std::string leaf;                ///< canonical metadata of the leaf
  std::string gradient;            ///< `.grad` after the run; empty: no gradient reaches the leaf
  std::string arriving;            ///< metadata of the gradient that the graph passes on, if `.grad` has another layout
  std::vector<std::string> nodes;  ///< nodes that pass the gradient on, like `TBackward0`, each name once
  std::string source;              ///< the user's line of the last of `nodes`
};

struct BackwardSummary {
  std::string loss;  ///< text: the output, or the sum of outputs
  std::vector<GradientRow> rows;
  int64_t nodes = 0;          ///< of the autograd graph
  int64_t saved_tensors = 0;  ///< tensors that nodes save for backward
  int64_t saved_bytes = 0;    ///< bytes of their storages, each counted once
  int64_t saved_beside = 0;   ///< `saved_bytes` without the storages of parameters, buffers and inputs
  int64_t peak_bytes = 0;     ///< of forward and backward: most bytes that are live at once, inputs included
};

/// Runs the program with fakes whose parameters and inputs require gradients, then backward from `loss`, the name of an
/// output. If it is empty, backward starts from the sum of all floating point outputs that require gradients. RAISES
/// Error if a call or backward does, for example for an operator without a derivative.
BackwardSummary run_backward(const Program& program, const FakeRunOptions& options, const std::string& loss);

}  // namespace ersatz::tools
