// Explains a difference between predictions and calls: which argument the real results' layout, dtype or size follows,
// and which one the predictions follow. The calls may be one or many; the text is empty if nothing matches.
//
// A statement about the kernel must hold for all known calls, a statement about the prediction for all differing calls.
// If no argument explains all calls, the text quotes the figures of the first call. Advice is an expression of `out`,
// the fake's present result, and of argument names, so that it fits every rank and size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// The names of a record's tensor arguments, and the writes that the op's schema declares. Without a schema, arguments
/// have numbers as names, and no write is declared.
class RecordedSchema {
 public:
  explicit RecordedSchema(const CallRecord& record);
  bool known() const { return known_; }
  /// `x`, or `argument 2`.
  std::string name(size_t tensor) const;
  /// The name in Python: `x`, or `x[1]` in a list; `arguments[2]` without a schema.
  std::string python(size_t tensor) const;
  bool is_written(size_t tensor) const;
  /// True if the schema allows the flat result to share memory with an argument.
  bool may_alias(size_t result) const;
  /// True if the flat results are the items of one list.
  bool returns_list() const { return lists_ && schema_.returns.size() == 1; }

 private:
  bool known_ = false, lists_ = false;
  FunctionSchema schema_;
  std::vector<int> positions_;  // of each tensor in the schema; -1: not found
  std::vector<int> items_;      // of each tensor in its list; -1: it is in no list
};

/// Prediction and observation of one result. The pointers point into the record.
struct ResultPair {
  const CallRecord* record;
  const RecordedTensor* predicted;
  const RecordedTensor* observed;
};

/// The short name, `f8e4m3fn`.
std::string dtype_words(const RecordedTensor& tensor);

/// The cause of the differences of that field in `differing`, all of one op and result. `known`: these calls and
/// others. REQUIRES: neither is empty.
std::string cause_of_difference(FindingField field, std::span<const ResultPair> differing,
                                std::span<const ResultPair> known);

}  // namespace ersatz::tools
