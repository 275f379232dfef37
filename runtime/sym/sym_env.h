// ShapeEnv::Impl: the table of expressions, the symbols, the facts and the decisions. Internal to sym_*.cpp.
//
// One recursive mutex guards the object. Public functions lock the mutex; internal functions require that it is locked.
// The thread's memo (sym_memo.h) answers repeated questions without the mutex.
#pragma once

#include <deque>
#include <mutex>
#include <unordered_map>

#include "runtime/sym/sym_facts.h"
#include "runtime/sym/sym_guards.h"
#include "runtime/sym/sym_node.h"

namespace ersatz {

/// Returns a / b, rounded down. REQUIRES: b > 0.
inline int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

/// A hash table with open addressing. Entries are never removed.
template <class T>
class SymIndex {
 public:
  template <class Same>
  const T* find(size_t hash, Same same) const {
    if (slots_.empty()) return nullptr;
    for (size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (!slots_[at].made) return nullptr;
      if (slots_[at].hash == hash && same(*slots_[at].made)) return slots_[at].made;
    }
  }
  void add(size_t hash, const T* made) {
    if (count_ * 2 >= slots_.size()) grow();
    ++count_;
    place({hash, made});
  }

 private:
  struct Slot {
    size_t hash = 0;
    const T* made = nullptr;
  };
  void place(Slot slot) {
    size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].made) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.made) place(s);
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

/// The origin of a symbol whose value depends on data.
struct SymOrigin {
  SymSite site;
  std::vector<int64_t> seen;
  std::optional<int64_t> real;  ///< the symbol's value in the real run that accompanies this fake run
};
SymSite current_sym_site();

class ShapeEnv::Impl {
 public:
  Impl();

  // The normal form, which does not depend on facts.
  /// returns the polynomial as a SymInt: a plain integer if it is constant, else its node
  SymInt intern(SymPoly terms);
  /// Returns the node of a polynomial that is not constant; null if no node was made for it yet.
  const SymNode* find_node(const SymPoly& terms) const;
  SymInt call(SymCall c, std::vector<SymInt> args);
  /// Returns the atom of the call `c(args)`, without simplification.
  SymInt atom(SymCall c, std::vector<SymInt> args, double number = 0);
  /// Sums and products. The result is a float expression if an operand is one.
  SymInt sum(std::vector<SymInt> terms);
  SymInt product(std::vector<SymInt> factors);
  SymInt negative(SymInt v);
  SymInt constant(double v);

  /// Returns the call that operators and the parser make. The call is simplified by the signs of its arguments, as in
  /// exported programs: `Max(1,s0)` is `s0` if s0 is positive, but `Min(768,768*s0)` stays as it is.
  SymInt apply(SymCall c, std::vector<SymInt> args);

  SymInt symbol(const SymbolInfo& info);
  SymInt fresh(const FreshSymbol& wanted);
  SymOrigin* origin(const SymAtom* symbol);  ///< null for a symbol that a user declared
  void note_value(const SymAtom* symbol, int64_t value);
  void set_real_value(const SymAtom* symbol, int64_t value);
  SymbolLookup real_values() const;  ///< maps a symbol to its hint, or else to its value in the real run
  const SymbolInfo* find(std::string_view name) const;
  /// Returns the atom of the symbol `name`; null if there is none.
  const SymAtom* find_atom(std::string_view name) const;

  ShapeEnvSettings settings;  ///< the ShapeEnv's settings
  mutable std::recursive_mutex mutex;
  const uint64_t serial;  ///< unique in the process
  std::deque<SymbolInfo> symbols;
  SymFacts facts;
  SymGuards guards;

 private:
  SymInt limit(SymCall c, std::vector<SymInt> args, bool by_sign);
  SymInt floor_division(SymInt a, SymInt b);
  SymInt remainder(SymInt a, SymInt b);
  SymInt connective(SymCall c, std::vector<SymInt> args);
  SymInt float_call(SymCall c, std::vector<SymInt> args);

  std::deque<SymAtom> atoms_;
  std::deque<SymNode> nodes_;
  std::unordered_map<std::string, const SymAtom*> symbol_atoms_;
  std::unordered_map<std::string, uint64_t> next_number_;  ///< key: the prefix of the symbols' names
  std::unordered_map<const SymAtom*, SymOrigin> origins_;
  SymIndex<SymAtom> call_index_;
  SymIndex<SymNode> node_index_;
};

using SymLock = std::lock_guard<std::recursive_mutex>;

}  // namespace ersatz
