// The decisions about the symbols of an environment: guards, deferred asserts, assumptions. Internal to sym_*.cpp.
//
// All functions require that the environment's mutex is locked, except for the counts of guards.
#pragma once

#include <atomic>
#include <deque>
#include <unordered_map>

#include "runtime/sym/sym_expr.h"
#include "runtime/sym/sym_node.h"

namespace ersatz {

struct SymQuestion;

/// A recorded decision: its condition, in the form that is true.
struct SymDecision {
  SymCondition condition;
  std::string text;  ///< `s0 == 4`
  std::string message;
  SymSite site;
  std::atomic<int64_t> count{1};
};

/// The treatment of a condition that neither facts nor hints decide.
enum class SymReading : uint8_t {
  Number,  ///< GuardOnDataDependent
  Size,    ///< numbers from data are at least 2, and then those that may be equal are unlike. Both are recorded as
           ///< assumptions. An order that this leaves open: GuardOnDataDependent. PyTorch 2.15: guard_or_false.
  Same,    ///< as Size, but numbers that may be equal are equal
  Check,   ///< it holds, which is recorded as an assert
};

/// The source of a decision.
struct SymSettled {
  SymDecision* guard = nullptr;  ///< the guard that was recorded, if any
  bool lasts = true;             ///< the decision is true for all values that the symbols may have in another run
};

class SymGuards {
 public:
  explicit SymGuards(ShapeEnv::Impl& env) : env_(env) {}

  /// Returns what the facts imply, if the bounded proof finds it.
  std::optional<bool> known(const SymCondition& c) const;
  /// Decides by the facts; else by the hints, with a guard; else by `reading`; else by real values. Raises if none
  /// decides.
  bool decide(const SymCondition& asked, SymReading reading, SymSettled* how = nullptr);
  bool decide_or(const SymCondition& asked, bool fallback);
  void check(const SymCondition& asked, std::string_view message);
  /// Like `check`, but returns false instead of raising.
  bool require(const SymCondition& asked, std::string_view message, SymSettled* how = nullptr);
  /// Returns the value at the hints, recorded as a guard unless the facts allow no other value.
  int64_t value(SymInt v);
  /// Returns the value at the hints of a float expression, recorded as a guard too.
  double float_value(SymInt v);
  /// Adds a fact from outside. Raises if the hints contradict it.
  void add_fact(const SymCondition& asked, std::string source);
  SymVerdict explain(const SymCondition& asked) const;

  /// Memo of questions, so that answers stay the same: later facts may hide a proof that the bounded search once found.
  /// `op` comes from `memo_op`.
  struct Asked {
    uint16_t op;
    int64_t a, b;
    bool operator==(const Asked&) const = default;
  };
  struct Answer {
    bool is;
    SymDecision* guard;
  };
  struct HashAsked {
    size_t operator()(const Asked& q) const {
      return hash_mix(hash_mix(q.op, static_cast<uint64_t>(q.a)), static_cast<uint64_t>(q.b));
    }
  };
  std::unordered_map<Asked, Answer, HashAsked> answered;

  std::deque<SymDecision> guards, asserts, assumptions;
  std::atomic<int> silenced{0};  ///< number of scopes in which nothing is recorded

 private:
  SymCondition at_an_end(const SymCondition& c) const;
  SymDecision* record(std::deque<SymDecision>& list, SymCondition c, bool holds, std::string_view message = {});
  bool decide_at(const SymCondition& c, bool holds, SymSettled* how = nullptr);
  std::optional<bool> read_sizes(const SymCondition& c) const;
  bool decide_at_real_values(const SymCondition& c, bool holds, SymSettled* how);
  void assert_holds(const SymCondition& c, std::string_view message);
  [[noreturn]] void raise_data_dependent(const std::string& expression, const SymCondition* c, SymInt asked) const;
  ShapeEnv::Impl& env_;
  std::unordered_map<std::string, SymDecision*> guard_index_, assert_index_, assumption_index_;
};

SymCompare opposite(SymCompare op);
bool compare(SymCompare op, int64_t a, int64_t b);
/// Returns the value of a condition; empty if a symbol has no value.
std::optional<bool> value_of(const SymCondition& c,
                             const std::function<std::optional<int64_t>(std::string_view)>& symbol);

// These two lock the mutex themselves, after a look into the memo.
std::optional<bool> known(const SymCondition& c);
bool decided(const SymCondition& c, SymReading reading);

}  // namespace ersatz
