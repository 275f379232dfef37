// Records the decisions about the symbols of an environment: guards, deferred asserts and assumptions. Internal to
// sym_*.cpp.
//
// All functions require that the environment's mutex is locked. The counts of decisions may be changed without the
// mutex.
#pragma once

#include <atomic>
#include <deque>
#include <unordered_map>

#include "runtime/sym/sym_expr.h"
#include "runtime/sym/sym_node.h"

namespace ersatz {

struct SymQuestion;

/// A recorded decision. If the decided condition was false, `condition` is its negation.
struct SymDecision {
  SymCondition condition;
  std::string text;  ///< `s0 == 4`
  std::string message;
  SymSite site;
  std::atomic<int64_t> count{1};
};

/// How SymGuards::decide treats a condition that neither the facts nor the hints decide.
enum class SymReading : uint8_t {
  Number,  ///< raises GuardOnDataDependent
  /// For sizes, as PyTorch's guard_or_false. Symbols without a hint count as at least 2. Two numbers that may still be
  /// equal count as different. Each of these decisions is recorded as an assumption. If `<` or `>` is still undecided,
  /// raises GuardOnDataDependent.
  Size,
  /// Like Size, but two numbers that may be equal count as equal. For callers that resize a tensor if the numbers
  /// differ.
  Same,
  Check,  ///< The condition counts as true and is recorded as an assert, which real runs evaluate.
};

/// How a condition was decided.
struct SymSettled {
  SymDecision* guard = nullptr;  ///< the recorded guard; null if none was recorded
  bool lasts = true;  ///< the answer is valid for every run; false if only the values of this real run decided it
};

class SymGuards {
 public:
  explicit SymGuards(ShapeEnv::Impl& env) : env_(env) {}

  /// Returns the answer that the facts imply; nullopt if the bounded proof finds no answer.
  std::optional<bool> known(const SymCondition& c) const;
  /// Decides by the facts, or else by the hints (with a guard), by `reading`, or by the values of a real run, in this
  /// order. Raises if none of them decides.
  bool decide(const SymCondition& asked, SymReading reading, SymSettled* how = nullptr);
  bool decide_or(const SymCondition& asked, bool fallback);
  void check(const SymCondition& asked, std::string_view message);
  /// Like `check`, but returns false instead of raising an error.
  bool require(const SymCondition& asked, std::string_view message, SymSettled* how = nullptr);
  /// Returns the value at the hints. Records it as a guard unless the facts allow only this value.
  int64_t value(SymInt v);
  /// Returns the value of a float expression at the hints, and records it as a guard.
  double float_value(SymInt v);
  /// Adds a fact that comes from the user or a program. Raises an error if the hints contradict it.
  void add_fact(const SymCondition& asked, std::string source);
  SymVerdict explain(const SymCondition& asked) const;

  /// The key of the memo of decided questions. With the memo, a repeated question gets the same answer. Without it,
  /// later facts could prevent the bounded search from finding the proof again. `op` comes from `memo_op`.
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
  std::atomic<int> silenced{0};  ///< number of Silence scopes, in which nothing is recorded

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
/// Returns the value of the condition; nullopt if the lookup has no value for a symbol.
std::optional<bool> value_of(const SymCondition& c,
                             const std::function<std::optional<int64_t>(std::string_view)>& symbol);

// These two functions search the thread's memo, and lock the mutex only if the memo has no answer.
std::optional<bool> known(const SymCondition& c);
bool decided(const SymCondition& c, SymReading reading);

}  // namespace ersatz
