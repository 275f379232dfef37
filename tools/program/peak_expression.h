// The most bytes that are live at once, as an expression over the sizes' symbols.
//
// Which moment of a run takes the most may depend on the sizes: of all moments those are kept that no other is known to
// reach, and the peak is the Max of them.
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
  /// The storage is live with its present size. Of a resized one the peak counts old and new bytes together.
  void add(const Storage& s);
  void remove(uint64_t storage_id);
  /// Empty where it is no int64, or where more moments than `kMost` may be the highest.
  std::optional<SymInt> peak() const;

 private:
  static constexpr size_t kMost = 16;
  void note();
  /// For all sizes, as far as is known.
  bool at_most(SymInt a, SymInt b) const;
  const ShapeEnv& env_;
  std::unordered_map<uint64_t, SymInt> live_;
  SymInt total_ = 0;
  std::vector<SymInt> highest_;  // none is known to be at most another one
  bool unknown_ = false;
};

}  // namespace ersatz::tools
