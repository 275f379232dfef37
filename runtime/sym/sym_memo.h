// SymMemo: a thread's cache of recent operations and decisions on symbols, which needs no lock. Internal to sym_*.cpp.
//
// A key contains the environment's serial, which is unique in the process. Entries of a destroyed environment are
// therefore never found again. A new entry overwrites the older entry of its slot.
#pragma once

#include "runtime/sym/sym_node.h"

namespace ersatz {

struct SymDecision;

enum class SymOp : uint8_t {
  Add,
  Sub,
  Mul,
  FloorDiv,
  Mod,
  Min,
  Max,
  Pow,
  Decide,
  DecideSize,
  DecideSame,
  DecideApart,
  Check
};

struct SymMemoEntry {
  uint64_t serial = 0;  ///< 0: empty
  int64_t a = 0, b = 0;
  uint64_t version = 0;             ///< version of the facts for which the entry is valid; 0: valid for all versions
  SymDecision* decision = nullptr;  ///< only for Decide: the recorded guard
  int64_t word = 0;                 ///< the word of the result, or the answer
  uint16_t op = 0;
};

class SymMemo {
 public:
  /// This thread's cache; null while the thread ends.
  static SymMemo* here();
  /// Returns the slot for a key. The slot may contain the entry of another key.
  SymMemoEntry& at(uint16_t op, SymInt a, SymInt b) {
    uint64_t h = (static_cast<uint64_t>(a.word()) * 0x9e3779b97f4a7c15u) ^
                 (static_cast<uint64_t>(b.word()) + op) * 0xc2b2ae3d27d4eb4fu;
    return entries_[(h ^ (h >> 29)) >> 7 & (kEntries - 1)];
  }

 private:
  static constexpr size_t kEntries = 4096;
  SymMemoEntry entries_[kEntries];
};

inline uint16_t memo_op(SymOp op, detail::Compare c = {}) {
  return static_cast<uint16_t>(static_cast<int>(op) + 16 * static_cast<int>(c));
}
inline uint64_t serial_of(SymInt a, SymInt b) { return (a.is_symbolic() ? a : b).node()->serial; }
inline bool is_of(const SymMemoEntry& e, uint16_t op, SymInt a, SymInt b) {
  return e.a == a.word() && e.b == b.word() && e.op == op && e.serial == serial_of(a, b);
}

}  // namespace ersatz
