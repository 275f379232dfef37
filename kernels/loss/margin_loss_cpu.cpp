#include "kernels/dense_operand.h"
#include "kernels/loss/margin_loss.h"
#include "kernels/loss/reduction.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_margin_loss {

Kernel run_multi_cpu, run_multi_backward_cpu, run_multilabel_cpu, run_multilabel_backward_cpu;

namespace {

constexpr DTypeSet kWritten{DType::F32, DType::F64};

/// Rows of scores and their right classes.
struct Rows {
  const KernelCall& call;
  Tensor self, target, weight;
  bool lists;  ///< the right classes of a row are a list that a negative number ends
  int64_t reduction, rows, classes;
  double margin = 1, p = 1;

  Rows(const KernelCall& of, const Tensor& scores, const Tensor& targets, bool lists_them, int64_t reduced)
      : call(of), self(dense_input(scores)), target(dense_input(targets)), lists(lists_them), reduction(reduced) {
    rows = self.dim() == 2 ? self.sizes()[0].as_int() : 1;
    classes = self.dim() == 0 ? 1 : self.sizes()[static_cast<size_t>(self.dim() - 1)].as_int();
  }

  std::span<const int64_t> right(int64_t row) const {
    const int64_t most = lists ? classes : 1, *t = target.data<int64_t>() + row * most;
    int64_t n = 0;
    for (; n < most && !(lists && t[n] < 0); ++n) {
      if (t[n] < 0 || t[n] >= classes)
        fail_on_value(call, ErrorFamily::Runtime, "target {} of row {} is none of {} classes", t[n], row, classes);
    }
    return {t, static_cast<size_t>(n)};
  }
  /// f(right class t, other class d, the weight of t, margin - self[t] + self[d]) where the last is positive.
  template <class T, class F>
  void for_each_violation(int64_t row, F&& f) const {
    const T* x = self.data<T>() + row * classes;
    const std::span<const int64_t> of_row = right(row);
    std::vector<bool> is_right(static_cast<size_t>(classes));
    for (const int64_t t : of_row) is_right[static_cast<size_t>(t)] = true;
    for (const int64_t t : of_row) {
      const double w = weight ? static_cast<double>(weight.data<T>()[t]) : 1;
      for (int64_t d = 0; d < classes; ++d) {
        const double z = margin - static_cast<double>(x[t]) + static_cast<double>(x[d]);
        if (!is_right[static_cast<size_t>(d)] && z > 0) f(t, d, w, z);
      }
    }
  }

  void write_losses(const Tensor& out) const {
    DenseOutput losses(out);
    dispatch_dtype<kWritten>(self.dtype(), [&]<class T>() {
      T* y = losses.tensor.data<T>();
      double total = 0;
      for (int64_t row = 0; row < rows; ++row) {
        double sum = 0;
        for_each_violation<T>(row, [&](int64_t, int64_t, double w, double z) { sum += w * (p == 1 ? z : z * z); });
        sum /= static_cast<double>(classes);
        if (reduction == kReduceNone && out.dim() > 0) y[row] = static_cast<T>(sum);
        total += sum;
      }
      if (reduction != kReduceNone || out.dim() == 0)
        *y = static_cast<T>(reduction == kReduceMean ? total / static_cast<double>(rows) : total);
    });
    losses.finish();
  }
  void write_gradient(const Tensor& grad_output, const Tensor& out) const {
    const Tensor grad = dense_input(grad_output);
    const bool each = reduction == kReduceNone && grad.dim() > 0;
    DenseOutput result(out);
    dispatch_dtype<kWritten>(self.dtype(), [&]<class T>() {
      T* y = result.tensor.data<T>();
      std::vector<double> slope(static_cast<size_t>(classes));
      for (int64_t row = 0; row < rows; ++row) {
        std::fill(slope.begin(), slope.end(), 0);
        for_each_violation<T>(row, [&](int64_t t, int64_t d, double w, double z) {
          const double s = p == 1 ? w : 2 * w * z;
          slope[static_cast<size_t>(d)] += s;
          slope[static_cast<size_t>(t)] -= s;
        });
        const double count = static_cast<double>(reduction == kReduceMean ? rows * classes : classes);
        const double factor = static_cast<double>(grad.data<T>()[each ? row : 0]) / count;
        for (int64_t d = 0; d < classes; ++d)
          y[row * classes + d] = static_cast<T>(slope[static_cast<size_t>(d)] * factor);
      }
    });
    result.finish();
  }
};

Rows multi(const KernelCall& call, size_t self_at) {
  Rows rows(call, call.tensor(self_at), call.tensor(self_at + 1), false, call.integer(self_at + 5));
  rows.p = std::floor(call.real(self_at + 2));
  rows.margin = call.real(self_at + 3);
  if (call.has(self_at + 4)) rows.weight = dense_input(call.tensor(self_at + 4));
  return rows;
}

}  // namespace

void run_multi_cpu(KernelCall& call) { multi(call, 0).write_losses(call.outputs[0]); }
void run_multi_backward_cpu(KernelCall& call) {
  multi(call, 1).write_gradient(call.tensor(kMultiBackward["grad_output"]), call.outputs[0]);
}

void run_multilabel_cpu(KernelCall& call) {
  const Rows rows(call, call.tensor(kMultilabelForward["self"]), call.tensor(kMultilabelForward["target"]), true,
                  call.integer(kMultilabelForward["reduction"]));
  rows.write_losses(call.outputs[0]);
  DenseOutput is_target(call.outputs[1]);
  dispatch_dtype<kWritten>(rows.self.dtype(), [&]<class T>() {
    T* y = is_target.tensor.data<T>();
    std::fill_n(y, rows.self.numel().as_int(), T(0));
    for (int64_t row = 0; row < rows.rows; ++row) {
      for (const int64_t t : rows.right(row)) y[row * rows.classes + t] = T(1);
    }
  });
  is_target.finish();
}
void run_multilabel_backward_cpu(KernelCall& call) {
  const Rows rows(call, call.tensor(kMultilabelBackward["self"]), call.tensor(kMultilabelBackward["target"]), true,
                  call.integer(kMultilabelBackward["reduction"]));
  rows.write_gradient(call.tensor(kMultilabelBackward["grad_output"]), call.outputs[0]);
}

}  // namespace ersatz::op_margin_loss
