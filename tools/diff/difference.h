// The differences between two programs or two recorded runs. Each node or call that differs has one Difference.
#pragma once

#include <string>
#include <vector>

#include "fake/crosscheck/accuracy.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

struct FieldDifference {
  std::string field;  ///< op, arguments, dtype, size, stride, offset, device, alias, number, value, source, ...
  std::string what;   ///< the result or argument that differs; empty if there is only one
  std::string a, b;   ///< text of the field in the first and in the second program or run
};

struct Difference {
  enum class Kind { Added, Removed, Changed } kind = Kind::Changed;
  std::string unit;        ///< `node`, `input`, `output`, `call`, `symbol`
  std::string name;        ///< name in the first program; if the entry is only in the second program, its name there
  std::string other_name;  ///< name in the second program if it differs from `name`
  std::string op;
  std::string at;  ///< the user's source line
  std::vector<FieldDifference> fields;
};

struct DiffSummary {
  std::string unit;      ///< `node` or `call`
  int64_t a = 0, b = 0;  ///< number of nodes or calls in the first and in the second program or run
  int64_t same = 0;      ///< pairs without a difference
  int64_t left = 0;      ///< pairs that were not compared because of an interruption
  std::string begins;    ///< the first call with equal argument values whose result values differ
  int64_t renamed = 0;   ///< of `same`: pairs whose names differ; a different name is no difference
  std::vector<Difference> differences;
};

/// Compares two programs, nested graphs included: operators, arguments, recorded metadata, shared storage, outputs, and
/// inputs with their stored elements. Names of nodes and values may differ. Arguments are compared by schema position,
/// whether they are given by position or by name. Expressions are simplified by the ranges of their symbols.
DiffSummary diff_programs(const Program& a, const Program& b);

/// With these options, diff_records compares values within an accuracy instead of bit by bit.
struct RecordValues {
  AccuracyOptions accuracy;
  bool reference_f64 = false;  ///< if values are not close, both are compared with the first record's call in f64
};
/// Compares recorded calls (docs/call-records.md) in order: arguments, results, changed arguments, errors, values. Ids,
/// tags and the recorder's predictions are not compared. If `values` is null, values are compared bit by bit. RAISES
/// InvalidArgument with file and line for a malformed record.
DiffSummary diff_records(const std::string& a, const std::string& b, const RecordValues* values = nullptr);

/// Appends the fields in which `a` and `b` differ to `fields`. The field `flags` (conj, neg, requires_grad) is added
/// only if no other field differs.
void add_meta_differences(const TensorMeta& a, const TensorMeta& b, const std::string& what,
                          std::vector<FieldDifference>& fields);

}  // namespace ersatz::tools
