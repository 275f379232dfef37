#include "kernels/loss/margin_rows.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"

namespace ersatz::op_margin_loss {

Kernel run_multi_cpu, run_multi_backward_cpu, run_multilabel_cpu, run_multilabel_backward_cpu;

namespace {

constexpr DTypeSet kWritten{DType::F32, DType::F64};

std::span<const int64_t> right_classes(const Rows& rows, const Tensor& target, int64_t row) {
  const int64_t most = rows.most(), *t = target.data<int64_t>() + row * most;
  int64_t n = 0;
  while (n < most && !(rows.lists && t[n] < 0)) ++n;
  return {t, static_cast<size_t>(n)};
}

/// Calls f(t, d, weight of t, margin - self[t] + self[d]) for each right class t and each other class d of the row for
/// which the last argument is positive.
template <class T, class F>
void for_each_violation(const Rows& rows, int64_t row, F&& f) {
  const int64_t classes = rows.classes;
  const T* x = rows.self.data<T>() + row * classes;
  const std::span<const int64_t> right = right_classes(rows, rows.target, row);
  std::vector<bool> is_right(static_cast<size_t>(classes));
  if (rows.is_target) {
    for (int64_t d = 0; d < classes; ++d) {
      is_right[static_cast<size_t>(d)] = rows.is_target.data<T>()[row * classes + d] != 0;
    }
  } else {
    for (const int64_t t : right) is_right[static_cast<size_t>(t)] = true;
  }
  for (const int64_t t : right) {
    const double w = rows.weight ? static_cast<double>(rows.weight.data<T>()[t]) : 1;
    for (int64_t d = 0; d < classes; ++d) {
      const double z = rows.margin - static_cast<double>(x[t]) + static_cast<double>(x[d]);
      if (!is_right[static_cast<size_t>(d)] && z > 0) f(t, d, w, z);
    }
  }
}

void write_losses(const KernelCall& call, const Rows& rows, const Tensor& out) {
  require_classes(call, rows, rows.target);
  DenseOutput losses(out);
  dispatch_dtype<kWritten>(rows.self.dtype(), [&]<class T>() {
    T* y = losses.tensor.data<T>();
    double total = 0;
    for (int64_t row = 0; row < rows.rows; ++row) {
      double sum = 0;
      for_each_violation<T>(rows, row,
                            [&](int64_t, int64_t, double w, double z) { sum += w * (rows.p == 1 ? z : z * z); });
      sum /= static_cast<double>(rows.classes);
      if (rows.reduction == kReduceNone && out.dim() > 0) y[row] = static_cast<T>(sum);
      total += sum;
    }
    if (rows.reduction != kReduceNone || out.dim() == 0)
      *y = static_cast<T>(rows.reduction == kReduceMean ? total / static_cast<double>(rows.rows) : total);
  });
  losses.finish();
}

void write_gradient(const KernelCall& call, const Rows& rows, const Tensor& grad_output) {
  require_classes(call, rows, rows.target);
  const Tensor grad = dense_input(grad_output);
  DenseOutput result(call.outputs[0]);
  const int64_t classes = rows.classes;
  dispatch_dtype<kWritten>(rows.self.dtype(), [&]<class T>() {
    T* y = result.tensor.data<T>();
    std::vector<double> slope(static_cast<size_t>(classes));
    for (int64_t row = 0; row < rows.rows; ++row) {
      std::fill(slope.begin(), slope.end(), 0);
      for_each_violation<T>(rows, row, [&](int64_t t, int64_t d, double w, double z) {
        const double s = rows.p == 1 ? w : 2 * w * z;
        slope[static_cast<size_t>(d)] += s;
        slope[static_cast<size_t>(t)] -= s;
      });
      const double factor = static_cast<double>(grad.data<T>()[rows.has_own(grad) ? row : 0]) / rows.divisor();
      for (int64_t d = 0; d < classes; ++d)
        y[row * classes + d] = static_cast<T>(slope[static_cast<size_t>(d)] * factor);
    }
  });
  result.finish();
}

/// If self is empty and has no kernel for its dtype, sets the outputs to 0 and returns true; PyTorch leaves them
/// uninitialised. Returns false for any other self.
bool has_no_rows(KernelCall& call, Position self) {
  const Tensor& rows = call.tensor(self);
  if (rows.numel().as_int() > 0 || rows.dtype() == DType::F32 || rows.dtype() == DType::F64) return false;
  for (const Tensor& out : call.outputs) fill_elements(out, 0);
  return true;
}

}  // namespace

std::string no_class_words(int64_t target, int64_t row, int64_t classes) {
  return fmt::format("target {} of row {} is none of {} classes", target, row, classes);
}

void require_classes(const KernelCall& call, const Rows& rows, const Tensor& target) {
  for (int64_t row = 0; row < rows.rows; ++row) {
    for (const int64_t t : right_classes(rows, target, row)) {
      if (t < 0 || t >= rows.classes)
        fail_on_value(call, ErrorFamily::Runtime, "{}", no_class_words(t, row, rows.classes));
    }
  }
}

void run_multi_cpu(KernelCall& call) {
  if (has_no_rows(call, kMulti["self"])) return;
  write_losses(call, multi_rows(call, 0), call.outputs[0]);
}
void run_multi_backward_cpu(KernelCall& call) {
  if (has_no_rows(call, kMultiBackward["self"])) return;
  write_gradient(call, multi_rows(call, 1), call.tensor(kMultiBackward["grad_output"]));
}

void run_multilabel_cpu(KernelCall& call) {
  if (has_no_rows(call, kMultilabelForward["self"])) return;
  const Rows rows = multilabel_rows(call);
  write_losses(call, rows, call.outputs[0]);
  DenseOutput is_target(call.outputs[1]);
  dispatch_dtype<kWritten>(rows.self.dtype(), [&]<class T>() {
    T* y = is_target.tensor.data<T>();
    std::fill_n(y, rows.self.numel().as_int(), T(0));
    for (int64_t row = 0; row < rows.rows; ++row) {
      for (const int64_t t : right_classes(rows, rows.target, row)) y[row * rows.classes + t] = T(1);
    }
  });
  is_target.finish();
}
void run_multilabel_backward_cpu(KernelCall& call) {
  if (has_no_rows(call, kMultilabelBackward["self"])) return;
  write_gradient(call, multilabel_backward_rows(call), call.tensor(kMultilabelBackward["grad_output"]));
}

}  // namespace ersatz::op_margin_loss
