// Finds a size that a fake kernel leaves unknown (an unbacked symbol) although it equals an argument's size in all
// calls.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Returns one text with the metadata and numbers of all arguments of a call.
std::string arguments_text(const CallRecord& record);

/// One dim of a flat result. `see` must be called with every call of the op in which the fake kernel left the size of
/// that dim unknown.
class UnknownSize {
 public:
  UnknownSize(int result, size_t dim) : result_(result), dim_(dim) {}

  void see(const CallRecord& record);
  int64_t calls() const { return calls_; }
  /// Number of different sizes that were seen, at most kFewest.
  size_t sizes() const { return sizes_.size(); }
  /// Returns `x.shape[0]` if the size was equal to that argument's size in all calls, and not constant. Returns a
  /// number if calls with different arguments had that size. Empty if the size depends on values, or if there were too
  /// few calls.
  std::string known() const;
  /// Returns the finding about the size. REQUIRES: `known` is not empty.
  Finding finding() const;

 private:
  static constexpr size_t kFewest = 4;  // with fewer calls, `known` is empty
  int result_;
  size_t dim_;
  CallRecord first_;
  int64_t calls_ = 0;
  bool has_other_results_ = false;             ///< a call had a result without that dim
  std::set<int64_t> sizes_;                    ///< different sizes; at most kFewest are kept
  std::set<std::string> asked_;                ///< different arguments of the calls; at most kFewest are kept
  std::vector<std::pair<size_t, size_t>> is_;  ///< each (tensor argument, dim) that had this size in all calls
};

}  // namespace ersatz::tools
