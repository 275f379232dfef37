// What a ShapeEnv owns: the table of expressions, the symbols, what is known of them and what was decided.
// Internal to sym_*.cpp.
//
// One recursive mutex guards all of it: public functions lock, internal ones expect the lock. What is asked again is
// answered from a memo of the thread (sym_memo.h) without it.
#pragma once

#include <deque>
#include <mutex>
#include <unordered_map>

#include "runtime/sym/sym_facts.h"
#include "runtime/sym/sym_guards.h"
#include "runtime/sym/sym_node.h"

namespace ersatz {

/// a / b, rounded down. REQUIRES: b > 0.
inline int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

/// Finds what was made by its hash: open addressing, nothing leaves.
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

/// Where an unbacked symbol comes from.
struct SymOrigin {
  SymSite site;
  std::vector<int64_t> seen;
  std::optional<int64_t> real;  ///< in the real run beside
};
SymSite current_sym_site();

class ShapeEnv::Impl {
 public:
  Impl();

  // The normal form: the same for every fact.
  SymInt intern(SymPoly terms);  ///< the polynomial as a word: an integer if it is constant, else its node
  /// The node of a polynomial that is no constant; null if it has not been made yet.
  const SymNode* find_node(const SymPoly& terms) const;
  SymInt call(SymCall c, std::vector<SymInt> args);
  /// The atom itself, without simplification.
  SymInt atom(SymCall c, std::vector<SymInt> args, double number = 0);
  /// Sums and products, of floats where one of them is.
  SymInt sum(std::vector<SymInt> terms);
  SymInt product(std::vector<SymInt> factors);
  SymInt negative(SymInt v);
  SymInt constant(double v);

  /// The call as operators and the parser make it: what the signs of its arguments settle (`Max(1,s0)` is `s0` for a
  /// positive s0) is settled, as in exported programs; `Min(768,768*s0)` stays as written.
  SymInt apply(SymCall c, std::vector<SymInt> args);

  SymInt symbol(const SymbolInfo& info);
  SymInt fresh(const FreshSymbol& wanted);
  SymOrigin* origin(const SymAtom* symbol);  ///< null for a symbol that was declared
  void note_value(const SymAtom* symbol, int64_t value);
  void set_real_value(const SymAtom* symbol, int64_t value);
  SymbolLookup real_values() const;  ///< hints, else real values
  const SymbolInfo* find(std::string_view name) const;
  /// The atom of a symbol, by name; null if there is none.
  const SymAtom* find_atom(std::string_view name) const;

  ShapeEnvSettings settings;  ///< those of the ShapeEnv
  mutable std::recursive_mutex mutex;
  const uint64_t serial;  ///< unlike that of every other environment of the process
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
  std::unordered_map<std::string, uint64_t> next_number_;  ///< by prefix
  std::unordered_map<const SymAtom*, SymOrigin> origins_;
  SymIndex<SymAtom> call_index_;
  SymIndex<SymNode> node_index_;
};

using SymLock = std::lock_guard<std::recursive_mutex>;

}  // namespace ersatz
