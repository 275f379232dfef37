// Which source answered how many calls, and what was not checked and why: the coverage part of a report.
//
// Counted per op. A composite counts once as `composite`, each of its parts by the source that answers it. One thread.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Where a call's metadata come from. One closed list, spelled alike everywhere.
enum class Source : uint8_t {
  Rule,           ///< the op's own rule
  Decomposition,  ///< other ops that compute the same (reserved: nothing answers so yet)
  Composite,      ///< the ops that define it
  Cache,          ///< an earlier answer of its rule
  Fallback,       ///< its kernel, on made-up inputs
  Constant,       ///< known values
  Inferred,       ///< a rule found from examples (FakeOptions::inferred)
  None            ///< no source: the call was refused, or its metadata were recorded ones
};
inline constexpr int kSourceCount = 8;
/// `rule`, `decomposition`, `composite`, `cache`, `fallback`, `constant`, `inferred`, `none`.
std::string_view name(Source s);

/// What crosscheck looks at.
enum class Check : uint8_t { Metadata, Strides, Aliases, Unwritten, OutOfBounds, UndeclaredWrite, Values };
/// `metadata`, `strides`, `aliases`, `unwritten`, `out_of_bounds`, `undeclared_write`, `values`.
std::string_view name(Check c);

/// Why crosscheck did not look.
enum class NotChecked : uint8_t {
  Unsupported,    ///< no rule, no kernel, or a tensor that cannot be fake
  DataDependent,  ///< the fake cannot tell
  Random,
  Tainted,       ///< comes from values of a placeholder
  Unwitnessed,   ///< only the rule says anything
  Excluded,      ///< the user's predicate
  Chosen,        ///< computed from what a library chose among several right results
  SwitchedOff,   ///< the options
  NoBytes,       ///< of tensors on meta, or none that were ever written
  OwnResults,    ///< the kernel allocates them itself
  UnknownLayout  ///< only the library can tell
};
/// `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, `excluded`, `chosen`, `switched_off`,
/// `no_bytes`, `own_results`, `unknown_layout`.
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
  /// The op's row, made where it was not met before.
  OpCoverage& row(const OpEntry& op) { return row(op.id, op.name); }
  void add(const Coverage& other);
  bool empty() const { return rows_.empty(); }

  /// Per op, by name; ops that were never met have no row.
  std::vector<OpCoverage> ops() const;
  /// Over all ops.
  OpCoverage total() const;

 private:
  static void add_row(OpCoverage& to, const OpCoverage& from);
  struct Row {
    uint32_t id;  ///< of the op
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
  std::vector<uint32_t> row_of_;  // by op id: 1 + its row; 0: none yet
  std::deque<Row> rows_;          // as ops were met; they stay where they are
};

/// `answered by: rule 45, composite 2`, then `not checked:` lines where there is something.
std::string to_string(const Coverage& coverage);

}  // namespace ersatz
