// A size that a fake gives as not known, although it is that of an argument in all calls.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Metadata and numbers of a call's arguments, as one text.
std::string arguments_text(const CallRecord& record);

/// One dim of a flat result. It is shown every call of the op of which the fake did not know that dim.
class UnknownSize {
 public:
  UnknownSize(int result, size_t dim) : result_(result), dim_(dim) {}

  void see(const CallRecord& record);
  int64_t calls() const { return calls_; }
  /// How many different sizes there were.
  size_t sizes() const { return sizes_.size(); }
  /// `x.shape[0]` where the size was that in all calls and took several values; the number where it was one in calls of
  /// several arguments; empty: values decide it, or there were too few calls.
  std::string known() const;
  /// REQUIRES: `known` says something.
  Finding finding() const;

 private:
  static constexpr size_t kFewest = 4;  // of fewer calls nothing is said
  int result_;
  size_t dim_;
  CallRecord first_;
  int64_t calls_ = 0;
  bool has_other_results_ = false;             ///< a call without that dim
  std::set<int64_t> sizes_;                    ///< kFewest at most
  std::set<std::string> asked_;                ///< kFewest at most
  std::vector<std::pair<size_t, size_t>> is_;  ///< (tensor argument, dim) that had the size in all calls
};

}  // namespace ersatz::tools
