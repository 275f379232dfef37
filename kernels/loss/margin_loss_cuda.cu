// Hinge losses of class scores on CUDA. Each row has one block, whose threads share the classes. Sums are f64, as on
// the CPU. Their order depends only on the number of classes.
#include "kernels/compute_type.h"
#include "kernels/device_check.h"
#include "kernels/indexing/device_index.h"
#include "kernels/loss/margin_rows.h"
#include "kernels/reduction/device_row.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_margin_loss {
namespace {

struct RightClasses {
  const int64_t* target;
  int64_t classes;
  bool lists;

  /// Sets `t` to the k-th right class of a row. RETURNS: false if the row has no more right classes.
  ERSATZ_DEVICE bool at(int64_t row, int64_t k, int64_t& t) const {
    const int64_t most = lists ? classes : 1;
    if (k >= most) return false;
    t = target[row * most + k];
    return !lists || t >= 0;
  }
  ERSATZ_DEVICE bool has(int64_t t) const { return t >= 0 && t < classes; }
};

/// Kernel that checks the targets of a row. If one is no class, sets `flag`. If `flag` is null, records the target in
/// `note` instead.
struct LookAtRows {
  RightClasses right;
  uint32_t* flag;
  cuda_module::FailureNote note;
  ERSATZ_DEVICE void operator()(int64_t row) const {
    int64_t t;
    for (int64_t k = 0; right.at(row, k, t); ++k) {
      if (right.has(t)) continue;
      if (flag) return cuda_module::atomic_or(flag, 1);
      return note.take(static_cast<uint64_t>(t), static_cast<uint64_t>(row));
    }
  }
};

/// The terms max(0, margin - x[t] + x[d]) of the loss of a row, and their slopes.
template <class T>
struct Violations {
  RightClasses right;
  const T *x, *weight;
  double margin;
  bool squared;

  /// Returns the term of class d and right class t. d may be a right class too.
  ERSATZ_DEVICE double distance(const T* row, int64_t t, int64_t d) const {
    const double z = margin - convert_value<double>(row[t]) + convert_value<double>(row[d]);
    return z > 0 ? z : 0;
  }
  ERSATZ_DEVICE double weight_of(int64_t t) const { return weight ? convert_value<double>(weight[t]) : 1; }
  ERSATZ_DEVICE double slope(const T* row, int64_t t, int64_t d) const {
    const double z = distance(row, t, d);
    return z > 0 ? weight_of(t) * (squared ? 2 * z : 1) : 0;
  }
};

template <class T>
struct RowLosses {
  static constexpr int kMostThreads = 256;
  Violations<T> violations;
  T* marks;  ///< is_target of a multilabel loss: 1 is written for right classes, and 0 for other classes
  double* losses;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const RightClasses& right = violations.right;
    const int64_t row = block.index(), classes = right.classes;
    const T* const x = violations.x + row * classes;
    T* const mark = marks ? marks + row * classes : nullptr;
    int64_t t;
    if (mark) {
      for (int64_t d = block.thread(); d < classes; d += block.threads()) mark[d] = T(0.0f);
      block.sync();
      for (int64_t k = 0; right.at(row, k, t); ++k) {
        if (k % block.threads() == block.thread() && right.has(t)) mark[t] = T(1.0f);
      }
      block.sync();
    }
    double sum = 0;
    for (int64_t k = 0; right.at(row, k, t); ++k) {
      if (!right.has(t)) continue;
      double of_class = 0;
      for (int64_t d = block.thread(); d < classes; d += block.threads()) {
        if (mark ? convert_value<double>(mark[d]) != 0 : d == t) continue;
        const double z = violations.distance(x, t, d);
        of_class += violations.squared ? z * z : z;
      }
      sum += violations.weight_of(t) * of_class;
    }
    sum = block.reduce(sum, Plus());
    if (block.thread() == 0) losses[row] = sum / static_cast<double>(classes);
  }
};

template <class T>
struct RowSlopes {
  static constexpr int kMostThreads = 256;
  Violations<T> violations;
  const T* marks;  ///< is_target of a multilabel loss: it is 0 for classes that are not right classes
  const T* grad;
  bool each;
  double divisor;
  T* dx;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const RightClasses& right = violations.right;
    const int64_t row = block.index(), classes = right.classes;
    const T* const x = violations.x + row * classes;
    const T* const mark = marks ? marks + row * classes : nullptr;
    T* const to = dx + row * classes;
    const double factor = convert_value<double>(grad[each ? row : 0]) / divisor;
    int64_t t;
    for (int64_t d = block.thread(); d < classes; d += block.threads()) {
      double sum = 0;
      const bool other = !mark || convert_value<double>(mark[d]) == 0;
      for (int64_t k = 0; other && right.at(row, k, t); ++k) {
        if (right.has(t) && (mark || d != t)) sum += violations.slope(x, t, d);
      }
      to[d] = convert_value<T>(sum * factor);
    }
    for (int64_t k = 0; right.at(row, k, t); ++k) {
      if (!right.has(t)) continue;
      double sum = 0;
      for (int64_t d = block.thread(); d < classes; d += block.threads()) {
        if (mark ? convert_value<double>(mark[d]) == 0 : d != t) sum += violations.slope(x, t, d);
      }
      sum = block.reduce(sum, Plus());  // after this reduction, all threads have written their classes
      if (block.thread() == 0) to[t] = convert_value<T>(convert_value<double>(to[t]) - sum * factor);
    }
  }
};

std::string noted_words(const cuda_module::NotedValue& v) {
  return no_class_words(static_cast<int64_t>(v.value), v.position, v.size);
}

int device_of(const Rows& rows) { return rows.self.device().index; }
int threads_of(const Rows& rows) { return cuda_module::threads_for_row(rows.classes, 256); }

/// Returns the right classes of all rows. The targets were checked, or a FailureNote records a bad one for the host.
/// REQUIRES: at least one row.
RightClasses looked_at(const KernelCall& call, const Rows& rows) {
  const RightClasses right{reinterpret_cast<const int64_t*>(rows.target.raw_data()), rows.classes, rows.lists};
  const auto look = [&](uint32_t* flag, const cuda_module::FailureNote& note) {
    cuda_module::launch_each(device_of(rows), rows.rows, LookAtRows{right, flag, note});
  };
  const cuda_module::FailureNote note = checked_or_noted(
      device_of(rows), {.family = ErrorFamily::Runtime, .words = noted_words, .size = rows.classes, .item = 1},
      [&](uint32_t* flag) { look(flag, {}); },
      [&] { require_classes(call, rows, device_index::moved_to(kCPU, rows.target)); });
  if (note) look(nullptr, note);
  return right;
}

template <class T>
const T* data_of(const Tensor& t) {
  return t ? reinterpret_cast<const T*>(t.raw_data()) : nullptr;
}
template <class T>
Violations<T> violations_of(const Rows& rows, const RightClasses& right) {
  return {right, data_of<T>(rows.self), data_of<T>(rows.weight), rows.margin, rows.p == 2};
}

/// Writes the losses, and 1 for each right class to `is_target` unless that is undefined.
void write_losses(const KernelCall& call, const Rows& rows, const Tensor& is_target) {
  const Tensor& out = call.outputs[0];
  const SymInt count[] = {rows.rows};
  const Tensor losses = make_real_tensor(TensorMeta(DType::F64, count, out.device()));
  if (rows.rows > 0) {
    const RightClasses right = looked_at(call, rows);
    dispatch_dtype<kFloats>(rows.self.dtype(), [&]<class T>() {
      cuda_module::launch_blocks(device_of(rows), rows.rows, threads_of(rows), 0,
                                 RowLosses<T>{violations_of<T>(rows, right), const_cast<T*>(data_of<T>(is_target)),
                                              reinterpret_cast<double*>(losses.raw_data())});
    });
  }
  if (rows.reduction == kReduceNone && out.dim() > 0) return copy_elements(out, losses);
  copy_elements(out, reduced(losses, rows.reduction == kReduceMean ? kReduceMean : kReduceSum));
}

void write_gradient(const KernelCall& call, const Rows& rows, const Tensor& grad_output) {
  if (rows.rows == 0) return;
  const RightClasses right = looked_at(call, rows);
  const Tensor grad = dense_input(grad_output);
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(rows.self.dtype(), [&]<class T>() {
    cuda_module::launch_blocks(
        device_of(rows), rows.rows, threads_of(rows), 0,
        RowSlopes<T>{violations_of<T>(rows, right), data_of<T>(rows.is_target), data_of<T>(grad), rows.has_own(grad),
                     rows.divisor(), reinterpret_cast<T*>(out.tensor.raw_data())});
  });
  out.finish();
}

void run_multi_cuda(KernelCall& call) { write_losses(call, multi_rows(call, 0), Tensor()); }
void run_multi_backward_cuda(KernelCall& call) {
  write_gradient(call, multi_rows(call, 1), call.tensor(kMultiBackward["grad_output"]));
}
void run_multilabel_cuda(KernelCall& call) {
  DenseOutput is_target(call.outputs[1]);
  write_losses(call, multilabel_rows(call), is_target.tensor);
  is_target.finish();
}
void run_multilabel_backward_cuda(KernelCall& call) {
  write_gradient(call, multilabel_backward_rows(call), call.tensor(kMultilabelBackward["grad_output"]));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.multi_margin_loss.default", run_multi_cuda);
  cuda_module::attach(registry, "aten.multi_margin_loss_backward.default", run_multi_backward_cuda);
  cuda_module::attach(registry, "aten.multilabel_margin_loss_forward.default", run_multilabel_cuda);
  cuda_module::attach(registry, "aten.multilabel_margin_loss_backward.default", run_multilabel_backward_cuda);
}

}  // namespace ersatz::op_margin_loss
