// What was decided of the symbols of an environment: guards, deferred asserts, assumptions. Internal to sym_*.cpp.
//
// Everything expects the environment's mutex, apart from the counts of guards.
#pragma once

#include <atomic>
#include <deque>
#include <unordered_map>

#include "runtime/sym/sym_expr.h"
#include "runtime/sym/sym_node.h"

namespace ersatz {

struct SymQuestion;

/// A decision as it is kept: its condition as it was found to hold.
struct SymDecision {
  SymCondition condition;
  std::string text;  ///< `s0 == 4`
  std::string message;
  SymSite site;
  std::atomic<int64_t> count{1};
};

/// What becomes of a condition that neither facts nor hints decide.
enum class SymReading : uint8_t {
  Number,  ///< GuardOnDataDependent
  Size,    ///< numbers from data are at least 2, and then those that may be equal are unlike. Both are recorded as
           ///< assumptions. An order that this leaves open: GuardOnDataDependent. PyTorch 2.15: guard_or_false.
  Same,    ///< as Size, but numbers that may be equal are equal
  Check,   ///< it holds, which is recorded as an assert
};

/// How a question was settled.
struct SymSettled {
  SymDecision* guard = nullptr;  ///< that was recorded
  bool lasts = true;             ///< whatever values the symbols have in another run
};

class SymGuards {
 public:
  explicit SymGuards(ShapeEnv::Impl& env) : env_(env) {}

  /// What the facts imply, where the bounded proof finds it.
  std::optional<bool> known(const SymCondition& c) const;
  /// Decides by the facts, else by the hints and records that, else by the reading, else by real values; else raises.
  bool decide(const SymCondition& asked, SymReading reading, SymSettled* how = nullptr);
  bool decide_or(const SymCondition& asked, bool fallback);
  void check(const SymCondition& asked, std::string_view message);
  /// As `check`, but answers false instead of raising.
  bool require(const SymCondition& asked, std::string_view message, SymSettled* how = nullptr);
  /// The value at the hints, recorded as a guard unless the facts leave no other.
  int64_t value(SymInt v);
  /// The same of an expression whose value is a float.
  double float_value(SymInt v);
  /// A fact from outside. Raises where the hints contradict it.
  void add_fact(const SymCondition& asked, std::string source);
  SymVerdict explain(const SymCondition& asked) const;

  /// Questions whose answers stay: facts that come later may hide what a bounded proof has found. `op` is `memo_op`'s.
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
  std::atomic<int> silenced{0};  ///< scopes in which nothing is recorded

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
/// The value of a condition; empty where a symbol has none.
std::optional<bool> value_of(const SymCondition& c,
                             const std::function<std::optional<int64_t>(std::string_view)>& symbol);

// Those take the lock themselves, and look into the memo first.
std::optional<bool> known(const SymCondition& c);
bool decided(const SymCondition& c, SymReading reading);

}  // namespace ersatz
