// Why a prediction differs from what a call did, in words: what the real result's layout, dtype or memory follows, and
// what the prediction took instead. Said of single calls, from metadata alone; empty where nothing fits.
#pragma once

#include <string>

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
  bool is_written(size_t tensor) const;
  /// May the flat result share the memory of an argument?
  bool may_alias(size_t result) const;

 private:
  bool known_ = false, lists_ = false;
  FunctionSchema schema_;
  std::vector<int> positions_;  // in the schema, of each tensor; -1: not found
};

/// The cause of a difference of that field between two metadata of one result.
std::string cause_of_difference(const CallRecord& record, const RecordedSchema& schema, FindingField field,
                                const TensorMeta& predicted, const TensorMeta& observed);

}  // namespace ersatz::tools
