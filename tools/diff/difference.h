// What two programs, or two recorded runs, differ in: one entry a node, or a call.
#pragma once

#include <string>
#include <vector>

#include "fake/crosscheck/accuracy.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

struct FieldDifference {
  std::string field;  ///< op, arguments, dtype, size, stride, offset, device, alias, number, value, source, ...
  std::string what;   ///< which result or argument; empty where there is one only
  std::string a, b;   ///< both sides
};

struct Difference {
  enum class Kind { Added, Removed, Changed } kind = Kind::Changed;
  std::string unit;        ///< `node`, `input`, `output`, `call`, `symbol`
  std::string name;        ///< of the first; of what was added, of the second
  std::string other_name;  ///< of the second where it differs
  std::string op;
  std::string at;  ///< the user's line
  std::vector<FieldDifference> fields;
};

struct DiffSummary {
  std::string unit;      ///< `node` or `call`
  int64_t a = 0, b = 0;  ///< how many each has
  int64_t same = 0;      ///< pairs without a difference
  int64_t left = 0;      ///< pairs that were not compared: an interruption came first
  std::string begins;    ///< the first call whose outcome has other values although its arguments have not
  int64_t renamed = 0;   ///< of these, pairs whose names differ, which is no difference
  std::vector<Difference> differences;
};

/// Compares what runs and what is recorded of it: operators, arguments, results' metadata and sharing, inputs with
/// the elements stored for them, outputs; the same of nested graphs. Names of nodes and values are no difference;
/// arguments are compared by what they stand for, wherever the call has them, and expressions as the ranges of their
/// symbols leave them.
DiffSummary diff_programs(const Program& a, const Program& b);

/// Compares recorded calls (docs/call-records.md) in their order: arguments, results, what was changed, errors, values.
/// Ids, tags and the recorder's predictions are not compared. InvalidArgument with file and line of a malformed one.
/// With `values` they are the same within an accuracy, and not only where each bit is.
struct RecordValues {
  AccuracyOptions accuracy;
  bool reference_f64 = false;  ///< the first record's call in f64 decides where values are not close
};
DiffSummary diff_records(const std::string& a, const std::string& b, const RecordValues* values = nullptr);

/// Adds the fields in which two metadata differ, those of `flags` (conj, neg, requires_grad) where no other does.
void add_meta_differences(const TensorMeta& a, const TensorMeta& b, const std::string& what,
                          std::vector<FieldDifference>& fields);

}  // namespace ersatz::tools
