// Explains a difference between predictions and calls: which argument decides the layout, dtype or size of the real
// results, and which one decides it in the predictions. There may be one call or many. The text is empty if no
// explanation fits.
//
// A statement about the kernel must hold for all known calls, a statement about the prediction for all differing calls.
// If no argument explains all calls, the text quotes the figures of the first call. Advice is an expression of `out`,
// the fake kernel's present result, and of argument names, so that it is right for every rank and size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// The names of a record's tensor arguments, and which of them the op's schema declares as written. If the record has
/// no schema, arguments are named by number and none counts as written.
class RecordedSchema {
 public:
  explicit RecordedSchema(const CallRecord& record);
  bool known() const { return known_; }
  /// The argument's name: `x`, or `argument 2` if there is no schema.
  std::string name(size_t tensor) const;
  /// The argument's name in Python: `x`, or `x[1]` in a list; `arguments[2]` if there is no schema.
  std::string python(size_t tensor) const;
  bool is_written(size_t tensor) const;
  /// True if the schema allows the flat result to share memory with an argument.
  bool may_alias(size_t result) const;
  /// True if the op returns one list, whose items are the flat results.
  bool returns_list() const { return lists_ && schema_.returns.size() == 1; }

 private:
  bool known_ = false, lists_ = false;
  FunctionSchema schema_;
  std::vector<int> positions_;  // for each tensor, its argument's position in the schema; -1: not found
  std::vector<int> items_;      // for each tensor, its index in its list; -1: it is in no list
};

/// The predicted and the observed tensor of one result. The pointers point into the record `record`.
struct ResultPair {
  const CallRecord* record;
  const RecordedTensor* predicted;
  const RecordedTensor* observed;
};

/// Returns the short name of the tensor's dtype, for example `f8e4m3fn`.
std::string dtype_words(const RecordedTensor& tensor);

/// Returns the cause of the differences in `field`. REQUIRES: all calls are of one op and result; `known` has all calls
/// in `differing` and perhaps others; neither is empty.
std::string cause_of_difference(FindingField field, std::span<const ResultPair> differing,
                                std::span<const ResultPair> known);

}  // namespace ersatz::tools
