// `ersatz crosscheck --backward`: runs a program forward and backward, for real and without data, and compares the
// gradients.
#pragma once

#include "tools/program/backward_run.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// The gradient of one leaf in all of the runs.
struct CheckedGradient {
  GradientRow row;       ///< from the run without data; only names if that run gave no gradients
  std::string observed;  ///< `.grad` after the real run; empty: no gradient reaches the leaf
  std::string second;    ///< `.grad` after a second forward and backward run, if its metadata differ
  std::string recorded;  ///< from the file of gradients: metadata, `none`, or empty if the file has no entry
  std::string tied;      ///< another name under which the program uses the weight; the record is compared with that
                         ///< gradient
  bool finite = true;    ///< the gradient has no NaN and no infinity
};

struct BackwardCheck {
  std::string loss;           ///< in words
  std::string not_predicted;  ///< why the run without data gave no gradients; empty: it gave them
  BackwardSummary predicted;  ///< the run without data
  std::vector<CheckedGradient> gradients;
  int64_t with_record = 0;  ///< gradients that were compared with the file
  Report report;            ///< calls of backward, and one result for each compared gradient
  int64_t compared = 0;     ///< gradients among the results of `report`
  int64_t mismatched = 0;
};

struct BackwardCheckOptions {
  std::string loss;       ///< as in run_backward
  std::string gradients;  ///< a file of recorded gradients (docs/gradients.md); empty: none
};

/// Runs forward and backward with fakes, then twice for real, with each call of backward under a CrosscheckMode. Real
/// gradients are compared with those of the fakes and with the record. RAISES Error if the real forward or backward run
/// does.
BackwardCheck check_backward(const ProgramInput& input, CrosscheckRunOptions& run, const BackwardCheckOptions& options);

}  // namespace ersatz::tools
