// `ersatz crosscheck --backward`: runs a program forward and backward with real tensors and with fakes, and compares
// the gradients.
#pragma once

#include "tools/program/backward_run.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// The gradient of one leaf, in all runs.
struct CheckedGradient {
  GradientRow row;       ///< the gradient that the fakes predict; if they predict none, it has only names
  std::string observed;  ///< `.grad` after the real run; empty: no gradient reaches the leaf
  std::string second;    ///< `.grad` after the second forward and backward run, if its metadata differ
  /// Gradient in the file of recorded gradients: metadata, `none`, or empty if the file has no row for the leaf.
  std::string recorded;
  /// Another name under which the program uses the weight. The recorded gradient is compared with the gradient of the
  /// leaf with that name.
  std::string tied;
  bool finite = true;  ///< the gradient has no NaN and no infinity
};

struct BackwardCheck {
  std::string loss;           ///< text that names the output, or the sum of outputs
  std::string not_predicted;  ///< why the fakes predict no gradients; empty if they do
  BackwardSummary predicted;  ///< the run with fakes
  std::vector<CheckedGradient> gradients;
  int64_t with_record = 0;  ///< number of gradients that were compared with the file
  Report report;            ///< calls of the backward run, and one result for each compared gradient
  int64_t compared = 0;     ///< number of results in `report` that are gradients
  int64_t mismatched = 0;
};

struct BackwardCheckOptions {
  std::string loss;       ///< name of the output that backward starts from, as for run_backward
  std::string gradients;  ///< a file of recorded gradients (docs/gradients.md); empty: none
};

/// Runs forward and backward with fakes, then twice with real tensors. Each call of the real backward run is
/// crosschecked. The real gradients are compared with those of the fakes and with the recorded ones. RAISES the error
/// of the real forward or backward run.
BackwardCheck check_backward(const ProgramInput& input, CrosscheckRunOptions& run, const BackwardCheckOptions& options);

}  // namespace ersatz::tools
