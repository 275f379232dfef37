// Compares recorded calls of custom ops, and shrinks failing calls by calling the op in the process that registers it.
//
// `ersatz validate FILE` works without the op. The recorder can call the op again, so failing calls are shrunk like
// those of a registered op (tools/validate/shrink.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

/// Reads recorded calls and groups them by op. RAISES Error, with file and line, for a malformed line.
void add_records(const std::string& file, std::map<std::string, std::vector<RecordLine>>& records);

/// A function that calls the op and returns the call's record. `arguments` is a record without an outcome; `fill` names
/// how its elements are filled. Returns nullopt if the call is not possible.
using CallMaker = std::function<std::optional<std::string>(const std::string& arguments, std::string_view fill)>;

class RecordValidation {
 public:
  /// Compares, in each record of a file, the recorded prediction with the recorded run.
  explicit RecordValidation(const std::string& file);

  struct Found {
    std::string op;
    int64_t record = 0;  ///< index of the op's first record that has the finding
    ValidateFinding* finding;
  };
  std::vector<Found> found();

  /// Replaces the finding's call by the smallest call that still shows the finding. Makes at most `most` calls.
  void make_small(const Found& found, const CallMaker& make, int most);

  ValidateReport report;

 private:
  std::map<std::string, std::vector<RecordLine>> records_;
};

}  // namespace ersatz::tools
