// Parses docs/data/prediction_accepts.tsv. For each overload it has the number of recorded calls for which the
// prediction for CUDA has a result and ersatz raises an error, with the reason. A run must have exactly these numbers.
#pragma once

#include <string>
#include <vector>

#include "tools/calls/accepted_predictions.h"

namespace ersatz::tools {

struct AcceptedRow {
  AcceptedPredictions::Key key;
  int64_t committed = 0, all = 0;  ///< calls in the records of tests/conformance, and in all records
  std::string reason;
};

/// The count of a row to compare with: `committed` or `all`, depending on the records that are replayed.
using RecordsReplayed = int64_t AcceptedRow::*;

/// Parses tab-separated rows; `#` begins a comment. RAISES InvalidArgument with the line for a malformed or repeated
/// row, and for an unknown reason.
std::vector<AcceptedRow> parse_accepted_rows(const std::string& text);

/// The differences between a run's counts and the rows, one line each.
std::vector<std::string> differences(const std::vector<AcceptedRow>& rows, const AcceptedPredictions& run,
                                     RecordsReplayed records);

}  // namespace ersatz::tools
