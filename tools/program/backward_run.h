// `ersatz fake --backward`: runs a program forward and backward with fakes.
#pragma once

#include "tools/program/fake_run.h"

namespace ersatz::tools {

/// The gradient of one leaf. A leaf is a parameter, or a user input with a floating point or complex dtype.
struct GradientRow {
  std::string name;
  bool is_parameter = false;
  std::string leaf;      ///< metadata of the leaf in canonical spelling
  std::string gradient;  ///< `.grad` after the run; empty: no gradient reaches the leaf
  /// Metadata of the gradient that the graph passes to the leaf, if `.grad` has another layout.
  std::string arriving;
  /// Names of the autograd nodes that pass the gradient to the leaf, like `TBackward0`, each once.
  std::vector<std::string> nodes;
  std::string source;  ///< the user's source line of the last of `nodes`
};

struct BackwardSummary {
  std::string loss;  ///< text: the output that backward starts from, or the sum of outputs
  std::vector<GradientRow> rows;
  int64_t nodes = 0;          ///< number of nodes in the autograd graph
  int64_t saved_tensors = 0;  ///< tensors that nodes save for backward
  int64_t saved_bytes = 0;    ///< bytes of their storages, each counted once
  int64_t saved_beside = 0;   ///< `saved_bytes` without storages that parameters, buffers and inputs have anyway
  int64_t peak_bytes = 0;     ///< most bytes that are live at once during forward and backward, inputs included
};

/// Runs the program forward with fakes whose parameters and inputs require gradients, then backward from `loss`, the
/// name of an output. If `loss` is empty, backward starts from the sum of all floating point outputs that require
/// gradients. RAISES the error of a call or of backward, for example for an operator without a derivative.
BackwardSummary run_backward(const Program& program, const FakeRunOptions& options, const std::string& loss);

}  // namespace ersatz::tools
