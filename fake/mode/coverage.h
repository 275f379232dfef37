// Counts the sources of predictions and the skipped checks with their reasons, for the coverage part of a report.
//
// There are counts for each op. A composite op counts once as `composite`, and each op that its body calls counts for
// its own source. One thread at a time may use an object.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The source of the metadata of a call's results. Reports use these names.
enum class Source : uint8_t {
  Rule,           ///< the op's own rule
  Decomposition,  ///< the results of other ops that compute the same values (reserved: not used yet)
  Composite,      ///< the predictions of the ops that the composite op's body calls
  Cache,          ///< the cached answer of an equal call
  Fallback,       ///< the op's kernel, run on synthetic inputs
  Constant,       ///< the known values of the arguments
  Inferred,       ///< a rule that was inferred from examples (FakeOptions::inferred)
  None            ///< no source: the call was refused, or recorded metadata were used
};
inline constexpr int kSourceCount = 8;
/// Returns `rule`, `decomposition`, `composite`, `cache`, `fallback`, `constant`, `inferred` or `none`.
std::string_view name(Source s);

/// The checks of crosscheck.
enum class Check : uint8_t { Metadata, Strides, Aliases, Unwritten, OutOfBounds, UndeclaredWrite, Values };
/// Returns `metadata`, `strides`, `aliases`, `unwritten`, `out_of_bounds`, `undeclared_write` or `values`.
std::string_view name(Check c);

/// The reasons why crosscheck skips a check (docs/glossary.md).
enum class NotChecked : uint8_t {
  Unsupported,    ///< there is no rule or no kernel, or a tensor cannot be fake
  DataDependent,  ///< the result depends on values that a fake does not have
  Random,
  Tainted,       ///< the result was computed from a skipped result
  Unwitnessed,   ///< there is no evidence: only the rule predicts the result
  Excluded,      ///< the user's predicate excludes the result
  Chosen,        ///< the result was computed from a result that a library chose among several right ones
  SwitchedOff,   ///< an option switches the check off
  NoBytes,       ///< the tensor is on meta, or its bytes were never written
  OwnResults,    ///< the kernel allocates its results itself
  UnknownLayout  ///< only a library of the device determines the strides
};
/// Returns the reason's name: `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, `excluded`,
/// `chosen`, `switched_off`, `no_bytes`, `own_results` or `unknown_layout`.
std::string_view name(NotChecked r);

struct Unchecked {
  Check check;
  NotChecked reason;
  int64_t times = 0;
};

struct OpCoverage {
  std::string op;
  std::array<int64_t, kSourceCount> sources{};
  std::vector<Unchecked> unchecked;

  void add_unchecked(Check check, NotChecked reason, int64_t times = 1) {
    for (Unchecked& u : unchecked) {
      if (u.check == check && u.reason == reason) {
        u.times += times;
        return;
      }
    }
    unchecked.push_back({check, reason, times});
  }
};

class Coverage {
 public:
  void answered(const OpEntry& op, Source source) { ++row(op).sources[static_cast<size_t>(source)]; }
  void unchecked(const OpEntry& op, Check check, NotChecked reason, int64_t times = 1) {
    row(op).add_unchecked(check, reason, times);
  }
  /// Returns the op's counts, which are added if the op is new.
  OpCoverage& row(const OpEntry& op) { return row(op.id, op.name); }
  void add(const Coverage& other);
  bool empty() const { return rows_.empty(); }

  /// Returns the rows of all counted ops, sorted by name.
  std::vector<OpCoverage> ops() const;
  /// Returns the sum over all ops.
  OpCoverage total() const;

 private:
  static void add_row(OpCoverage& to, const OpCoverage& from);
  struct Row {
    uint32_t id;  ///< the op's id
    OpCoverage counted;
  };
  OpCoverage& row(uint32_t id, const std::string& op) {
    if (id >= row_of_.size()) row_of_.resize(id + 64);
    uint32_t& row = row_of_[id];
    if (row == 0) {
      rows_.push_back({id, {op, {}, {}}});
      row = static_cast<uint32_t>(rows_.size());
    }
    return rows_[row - 1].counted;
  }
  std::vector<uint32_t> row_of_;  // indexed by op id: 1 + the index in rows_; 0: the op has no row
  std::deque<Row> rows_;          // in order of first use; a deque, so that references to rows stay valid
};

/// Returns `answered by: rule 45, composite 2`, then a `not checked:` line for each check that was skipped.
std::string to_string(const Coverage& coverage);

}  // namespace ersatz
