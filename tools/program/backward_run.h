// A program run forward and backward without data: what `ersatz fake --backward` reports.
#pragma once

#include "tools/program/fake_run.h"

namespace ersatz::tools {

/// One leaf: a parameter, or a user input of floating point or complex dtype.
struct GradientRow {
  std::string name;
  bool is_parameter = false;
  std::string leaf;                ///< its metadata, canonical
  std::string gradient;            ///< `.grad` after the run; empty: no gradient reaches the leaf
  std::string arriving;            ///< what the graph hands over, where `.grad` is laid out otherwise: it is copied
  std::vector<std::string> nodes;  ///< that hand a gradient over: `TBackward0`, each once
  std::string source;              ///< the user's line of the last of these
};

struct BackwardSummary {
  std::string loss;  ///< in words: the output, or the sum that stands for it
  std::vector<GradientRow> rows;
  int64_t nodes = 0;          ///< of the graph
  int64_t saved_tensors = 0;  ///< that nodes keep for backward
  int64_t saved_bytes = 0;    ///< of their storages, each once
  int64_t saved_beside = 0;   ///< the same without storages of parameters, buffers and inputs
  int64_t peak_bytes = 0;     ///< of forward and backward, all storages that live at once; inputs are among them
};

/// Runs the program with fakes whose parameters and inputs require gradients, then backward from `loss`, the name of an
/// output value; empty: from the sum of all outputs of floating point dtype that require gradients. Errors of calls and
/// of backward, an operator without a derivative among them, raise Error.
BackwardSummary run_backward(const Program& program, const FakeRunOptions& options, const std::string& loss);

}  // namespace ersatz::tools
