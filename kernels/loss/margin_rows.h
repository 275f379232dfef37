// Rows of class scores with their right classes, for the hinge losses on CPU and CUDA.
#pragma once

#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/loss/margin_loss.h"
#include "kernels/loss/reduction.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_margin_loss {

/// The operands of a hinge loss, as row-major tensors.
struct Rows {
  Tensor self, target;
  Tensor weight;     ///< one element for each class; undefined if all weights are 1
  Tensor is_target;  ///< only for multilabel gradients: 0 for classes that are not right classes
  bool lists;        ///< a row of target is a list of right classes that a negative number ends; else it is one class
  int64_t reduction, rows, classes;
  double margin = 1, p = 1;

  Rows(const KernelCall& call, size_t self_at, bool lists_them, size_t reduction_at)
      : self(dense_input(call.tensor(self_at))),
        target(dense_input(call.tensor(self_at + 1))),
        lists(lists_them),
        reduction(call.integer(reduction_at)) {
    rows = self.dim() == 2 ? self.sizes()[0].as_int() : 1;
    classes = self.dim() == 0 ? 1 : self.sizes()[static_cast<size_t>(self.dim() - 1)].as_int();
  }
  /// Returns the number of elements of `target` for each row.
  int64_t most() const { return lists ? classes : 1; }
  /// Returns the number by which the sum of a row's slopes is divided.
  double divisor() const { return static_cast<double>(reduction == kReduceMean ? rows * classes : classes); }
  /// Does each row have its own element in the incoming gradient?
  bool has_own(const Tensor& grad) const { return reduction == kReduceNone && grad.dim() > 0; }
};

inline Rows multi_rows(const KernelCall& call, size_t self_at) {
  Rows rows(call, self_at, false, self_at + 5);
  rows.p = std::floor(call.real(self_at + 2));
  rows.margin = call.real(self_at + 3);
  if (call.has(self_at + 4)) rows.weight = dense_input(call.tensor(self_at + 4));
  return rows;
}
inline Rows multilabel_rows(const KernelCall& call) { return Rows(call, 0, true, kMultilabelForward["reduction"]); }
inline Rows multilabel_backward_rows(const KernelCall& call) {
  Rows rows(call, kMultilabelBackward["self"], true, kMultilabelBackward["reduction"]);
  rows.is_target = dense_input(call.tensor(kMultilabelBackward["is_target"]));
  return rows;
}

/// RAISES: an error with `value_failure` for the first target that is no class. REQUIRES: `target` is on the CPU and
/// row-major.
void require_classes(const KernelCall& call, const Rows& rows, const Tensor& target);
std::string no_class_words(int64_t target, int64_t row, int64_t classes);

}  // namespace ersatz::op_margin_loss
