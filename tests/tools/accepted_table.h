// docs/data/prediction_accepts.tsv: of each overload, how many recorded calls the prediction for CUDA accepts and
// ersatz refuses, and why. Rows are compared with a run exactly: more is a failure, and fewer is one until the row says
// so.
#pragma once

#include <string>
#include <vector>

#include "tools/calls/accepted_predictions.h"

namespace ersatz::tools {

struct AcceptedRow {
  AcceptedPredictions::Key key;
  int64_t committed = 0, all = 0;  ///< calls among those in tests/conformance, among all that were recorded
  std::string reason;
};

/// Which records were replayed: the count of a row to be held against them.
using RecordsReplayed = int64_t AcceptedRow::*;

/// Tab-separated, a `#` begins a comment. Raises InvalidArgument with the line for a row that is none, stands twice, or
/// has no reason of those that count.
std::vector<AcceptedRow> parse_accepted_rows(const std::string& text);

/// What a run counted otherwise than the rows say, one line each, as people are told.
std::vector<std::string> differences(const std::vector<AcceptedRow>& rows, const AcceptedPredictions& run,
                                     RecordsReplayed records);

}  // namespace ersatz::tools
