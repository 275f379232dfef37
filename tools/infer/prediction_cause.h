// Why predictions differ from what calls did, in words: what the real results' layout, dtype or size follows, and what
// the predictions took instead. Said of one call or of many; empty where nothing fits.
//
// A sentence is said where each call that it is about bears it out: of the kernel all calls that are known, with and
// without a difference, of the prediction those that differ. What holds for no argument in all of them is told with
// the figures of the first call, and as that. Advice is an expression of `out`, what the fake returns now, and of the
// arguments' names, so that it fits every rank and size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// The names of a record's tensor arguments, and which of them the op's schema says are written. Without a schema they
/// have numbers for names, and nothing is known to be declared.
class RecordedSchema {
 public:
  explicit RecordedSchema(const CallRecord& record);
  bool known() const { return known_; }
  /// `x`, or `argument 2`.
  std::string name(size_t tensor) const;
  /// The name for lines of Python: `x`, or `x[1]` of a list; `arguments[2]` where there is no schema.
  std::string python(size_t tensor) const;
  bool is_written(size_t tensor) const;
  /// May the flat result share the memory of an argument?
  bool may_alias(size_t result) const;
  /// The flat results are the items of one list.
  bool returns_list() const { return lists_ && schema_.returns.size() == 1; }

 private:
  bool known_ = false, lists_ = false;
  FunctionSchema schema_;
  std::vector<int> positions_;  // in the schema, of each tensor; -1: not found
  std::vector<int> items_;      // in its list, of each tensor; -1: it stands in none
};

/// One result of one call, twice. It points into the record.
struct ResultPair {
  const CallRecord* record;
  const RecordedTensor* predicted;
  const RecordedTensor* observed;
};

/// The short name, `f8e4m3fn`.
std::string dtype_words(const RecordedTensor& tensor);

/// The cause of a difference of that field in `differing`, of one op and result. `known`: these and others of the same
/// result. REQUIRES: neither is empty.
std::string cause_of_difference(FindingField field, std::span<const ResultPair> differing,
                                std::span<const ResultPair> known);

}  // namespace ersatz::tools
