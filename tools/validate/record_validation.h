// Compares recorded calls of custom ops in this process, and shrinks them by calling the op in the process that has it.
//
// `ersatz validate FILE` works without the op. The recorder can call the op again, so failing calls are shrunk as for a
// registered op (tools/validate/shrink.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

/// Reads recorded calls and groups them by op. RAISES Error with file and line for a malformed line.
void add_records(const std::string& file, std::map<std::string, std::vector<RecordLine>>& records);

/// Calls the op and returns its record. `arguments` is a record without an outcome; `fill` is the fill of the elements.
/// Returns nullopt if the call is not possible.
using CallMaker = std::function<std::optional<std::string>(const std::string& arguments, std::string_view fill)>;

class RecordValidation {
 public:
  /// Compares each record of a file: the recorded prediction with the recorded run.
  explicit RecordValidation(const std::string& file);

  struct Found {
    std::string op;
    int64_t record = 0;  ///< index of the op's first record with the finding
    ValidateFinding* finding;
  };
  std::vector<Found> found();

  /// Replaces the finding's call by the smallest one that still shows it. Makes at most `most` calls.
  void make_small(const Found& found, const CallMaker& make, int most);

  ValidateReport report;

 private:
  std::map<std::string, std::vector<RecordLine>> records_;
};

}  // namespace ersatz::tools
