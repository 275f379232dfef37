#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/loss/nll_targets.h"
#include "kernels/loss/reduction.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_nll_loss {
namespace {

/// The scores as row-major [images, classes, points], and the targets as [images, points].
struct Scores {
  int64_t images = 1, classes, points = 1, ignored;
  std::vector<int64_t> targets;
  Tensor weight;

  Scores(const KernelCall& call, size_t first)
      : ignored(call.integer(first + 4)), weight(call.has(first + 2) ? dense_input(call.tensor(first + 2)) : Tensor()) {
    const auto sizes = as_ints(call.tensor(first).sizes());
    if (sizes.size() > 1) images = sizes[0];
    classes = sizes[sizes.size() > 1 ? 1 : 0];
    for (size_t d = 2; d < sizes.size(); ++d) points *= sizes[d];
    const Tensor target = dense_input(call.tensor(first + 1));
    for (int64_t i = 0; i < images * points; ++i) {
      targets.push_back(target.dtype() == DType::U8 ? target.data<uint8_t>()[i] : target.data<int64_t>()[i]);
    }
    require_classes(call, targets, classes, ignored);
  }
  /// Calls f(i, offset of the target's score, weight of the target's class) for each target i that is not ignored.
  template <class T, class F>
  void for_each(F&& f) const {
    const T* w = weight ? reinterpret_cast<const T*>(weight.raw_data()) : nullptr;
    for (int64_t i = 0; i < images * points; ++i) {
      const int64_t t = targets[static_cast<size_t>(i)];
      if (t != ignored)
        f(i, (i / points * classes + t) * points + i % points, w ? Compute_t<T>(w[t]) : Compute_t<T>(1));
    }
  }
};

}  // namespace

std::string no_class_words(int64_t target, int64_t position, int64_t classes) {
  return fmt::format("target {} at position {} is none of {} classes", target, position, classes);
}

void require_classes(const KernelCall& call, std::span<const int64_t> targets, int64_t classes, int64_t ignored) {
  for (size_t i = 0; i < targets.size(); ++i) {
    if (is_no_class(targets[i], classes, ignored)) {
      fail_on_value(call, ErrorFamily::Index, "{}", no_class_words(targets[i], static_cast<int64_t>(i), classes));
    }
  }
}

void run_forward_cpu(KernelCall& call) {
  const Scores scores(call, 0);
  const Tensor self = dense_input(call.tensor(kForwards["self"]));
  const int64_t reduction = call.integer(kForwards["reduction"]);
  const bool each = reduction == kReduceNone && self.dim() > 1;
  DenseOutput losses(call.outputs[0]);
  dispatch_dtype<kFloats>(self.dtype(), [&]<class T>() {
    const T* x = reinterpret_cast<const T*>(self.raw_data());
    T* y = reinterpret_cast<T*>(losses.tensor.raw_data());
    T* total = reinterpret_cast<T*>(call.outputs[1].raw_data());
    double sum = 0, weights = 0;
    if (each) std::fill_n(y, losses.tensor.numel().as_int(), T(0));
    scores.for_each<T>([&](int64_t i, int64_t place, Compute_t<T> w) {
      const Compute_t<T> loss = -w * Compute_t<T>(x[place]);
      if (each) {
        y[i] = T(loss);
      } else {
        sum += loss;
        weights += w;
      }
    });
    *total = T(static_cast<Compute_t<T>>(weights));
    if (!each) *y = T(static_cast<Compute_t<T>>(reduction == kReduceMean ? sum / weights : sum));
  });
  losses.finish();
}

void run_backward_cpu(KernelCall& call) {
  const Scores scores(call, 1);
  const int64_t reduction = call.integer(kBackwards["reduction"]);
  const Tensor grad = dense_input(call.tensor(kBackwards["grad_output"])),
               total = dense_input(call.tensor(kBackwards["total_weight"]));
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(out.tensor.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* g = reinterpret_cast<const T*>(grad.raw_data());
    T* x = reinterpret_cast<T*>(out.tensor.raw_data());
    std::fill_n(x, out.tensor.numel().as_int(), T(0));
    const C weights = reduction == kReduceMean ? C(*reinterpret_cast<const T*>(total.raw_data())) : C(1);
    const bool each = reduction == kReduceNone && out.tensor.dim() > 1;
    scores.for_each<T>([&](int64_t i, int64_t place, C w) { x[place] = T(-w * C(g[each ? i : 0]) / weights); });
  });
  out.finish();
}

}  // namespace ersatz::op_nll_loss
