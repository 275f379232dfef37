// Recorded calls of ops that others have, judged in this process, and made small with the help of who has the op.
//
// `ersatz validate FILE` judges records where the op is not at hand. Whoever records can call it again: then what was
// found is made small as for an op that is here, with the same steps and the same words (tools/validate/shrink.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

/// Reads recorded calls, by op. Raises Error, naming file and line, where a line is none.
void add_records(const std::string& file, std::map<std::string, std::vector<RecordLine>>& records);

/// Makes a call of the op and answers its record. The arguments are a record without an outcome; `fill` says what the
/// elements hold. Empty: there is no such call.
using CallMaker = std::function<std::optional<std::string>(const std::string& arguments, std::string_view fill)>;

class RecordValidation {
 public:
  /// Judges the records of a file, each by itself: what its recorder predicted against what the call did.
  explicit RecordValidation(const std::string& file);

  struct Found {
    std::string op;
    int64_t record = 0;  ///< of the op, counted from 0: the first that shows it
    ValidateFinding* finding;
  };
  std::vector<Found> found();

  /// Looks for the smallest call that still shows the finding, and puts it in its place; `most` calls are made.
  void make_small(const Found& found, const CallMaker& make, int most);

  ValidateReport report;

 private:
  std::map<std::string, std::vector<RecordLine>> records_;
};

}  // namespace ersatz::tools
