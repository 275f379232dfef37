// Finds a size that a fake kernel leaves unknown although it equals an argument's size in all calls.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// One text with the metadata and numbers of a call's arguments.
std::string arguments_text(const CallRecord& record);

/// One dim of a flat result. `see` gets every call of the op in which the fake left that dim unknown.
class UnknownSize {
 public:
  UnknownSize(int result, size_t dim) : result_(result), dim_(dim) {}

  void see(const CallRecord& record);
  int64_t calls() const { return calls_; }
  /// Number of different sizes so far, at most kFewest.
  size_t sizes() const { return sizes_.size(); }
  /// `x.shape[0]` if the size was equal to it in all calls and took several values. A number if the size was constant
  /// over calls with different arguments. Empty if the size depends on values, or if there were too few calls.
  std::string known() const;
  /// REQUIRES: `known` is not empty.
  Finding finding() const;

 private:
  static constexpr size_t kFewest = 4;  // fewer calls give no answer
  int result_;
  size_t dim_;
  CallRecord first_;
  int64_t calls_ = 0;
  bool has_other_results_ = false;             ///< a call without that dim occurred
  std::set<int64_t> sizes_;                    ///< kFewest at most
  std::set<std::string> asked_;                ///< kFewest at most
  std::vector<std::pair<size_t, size_t>> is_;  ///< (tensor argument, dim) that equalled the size in all calls
};

}  // namespace ersatz::tools
