// The largest number of bytes that are live at once, as an expression over the sizes' symbols.
//
// The moment of the peak may depend on the sizes. The expression is the Max over all moments, without those that
// another moment is known to reach.
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
  /// Marks the storage live with its present size. For a resized storage, old and new bytes are live together.
  void add(const Storage& s);
  void remove(uint64_t storage_id);
  /// nullopt if it overflows int64, or if more than `kMost` moments may be the highest.
  std::optional<SymInt> peak() const;

 private:
  static constexpr size_t kMost = 16;
  void note();
  /// True if a <= b is known for all sizes.
  bool at_most(SymInt a, SymInt b) const;
  const ShapeEnv& env_;
  std::unordered_map<uint64_t, SymInt> live_;
  SymInt total_ = 0;
  std::vector<SymInt> highest_;  // none of these is known to be at most another
  bool unknown_ = false;
};

}  // namespace ersatz::tools
