// Computes the largest number of bytes that are live at once, as an expression over the symbols of sizes.
//
// The sizes may decide at which moment the peak is. So the expression is the maximum over all moments. A moment is left
// out if another moment is known to have at least as many bytes.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

class PeakExpression {
 public:
  explicit PeakExpression(const ShapeEnv& env) : env_(env) {}
  /// Marks a storage as live, with its present size. If it was resized, its old and new bytes are live together.
  void add(const Storage& s);
  void remove(uint64_t storage_id);
  /// Returns the peak. nullopt if it overflows int64, or if more than kMost moments may be the peak.
  std::optional<SymInt> peak() const;

 private:
  static constexpr size_t kMost = 16;
  void note();
  /// True if a <= b for all sizes that the ranges allow.
  bool at_most(SymInt a, SymInt b) const;
  const ShapeEnv& env_;
  std::unordered_map<uint64_t, SymInt> live_;
  SymInt total_ = 0;
  std::vector<SymInt> highest_;  // the bytes at each moment that may be the peak
  bool unknown_ = false;
};

}  // namespace ersatz::tools
