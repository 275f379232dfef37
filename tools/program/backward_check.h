// A program run forward and backward for real beside a run without data: what `ersatz crosscheck --backward` adds to
// the crosscheck of the program.
#pragma once

#include "tools/program/backward_run.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// The gradient of one leaf, in all runs that there are.
struct CheckedGradient {
  GradientRow row;       ///< of the run without data; where that gave no answer, its names alone
  std::string observed;  ///< `.grad` after the run for real; empty: no gradient reaches the leaf
  std::string second;    ///< after a second forward and backward run, where the metadata are others
  std::string recorded;  ///< of the file of gradients: metadata, `none`, or empty: the file does not say
  std::string tied;      ///< the name that the program uses the weight under: the record is compared with its gradient
  bool finite = true;    ///< the gradient holds no NaN and no infinity
};

struct BackwardCheck {
  std::string loss;           ///< in words
  std::string not_predicted;  ///< why the run without data gave no gradients; empty: it gave them
  BackwardSummary predicted;  ///< of that run
  std::vector<CheckedGradient> gradients;
  int64_t with_record = 0;  ///< gradients that were compared with the file
  Report report;            ///< calls of backward, and one result for each gradient that was compared
  int64_t compared = 0;     ///< of these results: gradients
  int64_t mismatched = 0;
};

struct BackwardCheckOptions {
  std::string loss;       ///< as in run_backward
  std::string gradients;  ///< a file of recorded gradients (docs/gradients.md); empty: there is none
};

/// Runs forward and backward with fakes, then for real, twice, each call of backward under a CrosscheckMode. A gradient
/// of the run for real is compared with that of the fakes, and with the record. A refusal of the forward or backward
/// run for real raises Error.
BackwardCheck check_backward(const ProgramInput& input, CrosscheckRunOptions& run, const BackwardCheckOptions& options);

}  // namespace ersatz::tools
