// Negative log likelihood losses on CUDA. One thread for each target reads the target's score. Reduced losses and their
// weights are summed in one pass, whose order depends only on the number of targets.
//
// Scores, weights and losses are converted to double and back, so that one kernel serves all dtypes.
#include "kernels/device_check.h"
#include "kernels/indexing/device_index.h"
#include "kernels/loss/nll_targets.h"
#include "kernels/loss/reduction.h"
#include "kernels/norm/device_parameter.h"
#include "kernels/pointwise/long_offsets.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/shape/device_image.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_nll_loss {
namespace {

struct Targets {
  const int64_t* at = nullptr;
  int64_t classes = 0, ignored = 0;
  cuda_module::FailureNote note;

  /// Is target i a class? A target that is neither a class nor ignored is recorded in `note`.
  ERSATZ_DEVICE bool counts(int64_t target, int64_t i) const {
    if (target == ignored) return false;
    if (!is_no_class(target, classes, ignored)) return true;
    note.take(static_cast<uint64_t>(target), static_cast<uint64_t>(i));
    return false;
  }
};

struct LookForNoClass {
  Targets targets;
  uint32_t* flag;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if (is_no_class(targets.at[i], targets.classes, targets.ignored)) cuda_module::atomic_or(flag, 1);
  }
};

/// Returns a DeviceParameter that reads the elements of a float tensor by their offset in memory.
DeviceParameter elements_of(const Tensor& t) {
  DeviceParameter p;
  if (!t || t.numel().as_int() == 0) return p;
  p.data = t.raw_data();
  p.dtype = t.dtype();
  p.step = item_size(t.dtype());
  return p;
}

/// Reads the score of a class for target i. Scores are [batch, classes, height, width] with any strides.
struct Scores {
  DeviceParameter element;
  ImageShape shape;
  pointwise::LongDivisor points, width;

  explicit Scores(const Tensor& t)
      : element(elements_of(t)),
        shape(t, t.dim() > 2 ? 2 : 0),
        points(std::max<int64_t>(shape.size[3] * shape.size[4], 1)),
        width(std::max<int64_t>(shape.size[4], 1)) {}
  ERSATZ_DEVICE int64_t place(int64_t i, int64_t target) const {
    const int64_t image = points.divide(i), point = i - image * points.divisor, row = width.divide(point);
    return image * shape.stride[0] + target * shape.stride[1] + row * shape.stride[3] +
           (point - row * width.divisor) * shape.stride[4];
  }
};

/// The operands of a forward op, from which it computes the loss of one target.
struct Likelihoods {
  Targets targets;
  Scores scores;
  DeviceParameter weight;

  /// Sets the loss and the weight of target i. RETURNS: false if the target is skipped.
  ERSATZ_DEVICE bool of(int64_t i, int64_t target, double& loss, double& w) const {
    if (!targets.counts(target, i)) return false;
    w = weight.get(target, 1);
    loss = -w * scores.element.get(scores.place(i, target), 0);
    return true;
  }
};

struct EachLoss {
  Likelihoods likelihoods;
  DeviceParameter losses;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    double loss = 0, weight;
    likelihoods.of(i, likelihoods.targets.at[i], loss, weight);
    losses.set(i, loss);
  }
};

struct WeightedLoss {
  double loss, weight;
};

/// A reduction over the targets: it sums the losses and the weights of targets that are not ignored.
struct SumOfLosses {
  using In = int64_t;
  using Acc = WeightedLoss;
  using Total = WeightedLoss;
  Likelihoods likelihoods;

  ERSATZ_HD Acc start() const { return {0, 0}; }
  ERSATZ_DEVICE void step(Acc& a, int64_t target, int64_t i) const {
    double loss, weight;
    if (!likelihoods.of(i, target, loss, weight)) return;
    a.loss += loss;
    a.weight += weight;
  }
  ERSATZ_HD Total open() const { return {0, 0}; }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { merge(t, a); }
  ERSATZ_HD void merge(Total& t, const Total& o) const {
    t.loss += o.loss;
    t.weight += o.weight;
  }
};

struct StoreLoss {
  DeviceParameter loss, weight;
  bool mean;
  const int64_t* only;  ///< for 1-d scores, the address of their only target; else null
  int64_t ignored;
  ERSATZ_DEVICE void operator()(int64_t, const WeightedLoss& total) const {
    const bool nothing = only != nullptr && *only == ignored;
    loss.set(0, mean && !nothing ? total.loss / total.weight : total.loss);
    weight.set(0, total.weight);
  }
};

struct Slope {
  Targets targets;
  Scores scores;  // describes the gradient, which has the sizes of the scores
  DeviceParameter weight, grad, total;
  bool each, mean;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t target = targets.at[i];
    if (!targets.counts(target, i)) return;
    const double slope = -weight.get(target, 1) * grad.get(each ? i : 0, 0);
    scores.element.set(scores.place(i, target), mean ? slope / total.get(0, 1) : slope);
  }
};

std::string noted_words(const cuda_module::NotedValue& v) {
  return no_class_words(static_cast<int64_t>(v.value), v.position, v.size);
}

/// Returns the targets, dense. For 1-d scores, returns only the first target, even if there are more.
Tensor counted_targets(const Tensor& self, const Tensor& target) {
  if (self.dim() != 1 || target.dim() != 1 || target.numel().as_int() < 2)
    return device_index::dense_as(target, DType::I64);
  TensorMeta first = target.meta();
  first.sizes = DimVec{SymInt(1)};
  return device_index::dense_as(make_view(target, std::move(first)), DType::I64);
}

/// The first arguments of a forward op, dense. In a backward op, they follow grad_output.
struct Operands {
  int device;
  Tensor target, weight;
  Targets targets;

  Operands(const KernelCall& call, size_t first)
      : device(call.tensor(first).device().index),
        target(counted_targets(call.tensor(first), call.tensor(first + 1))),
        weight(dense_input(call.tensor(first + 2))) {
    const Tensor self = call.tensor(first);
    targets.classes = self.sizes()[self.dim() == 1 ? 0 : 1].as_int();
    targets.ignored = call.integer(first + 4);
    if (count() == 0) return;
    targets.at = reinterpret_cast<const int64_t*>(target.raw_data());
    targets.note = checked_or_noted(
        device, {.family = ErrorFamily::Index, .words = noted_words, .size = targets.classes, .item = 1},
        [&](uint32_t* flag) {
          cuda_module::launch_each(device, count(), LookForNoClass{targets, flag});
        },
        [&] {
          require_classes(call, IndexValues(device_index::moved_to(kCPU, target)), targets.classes, targets.ignored);
        });
  }
  int64_t count() const { return target.numel().as_int(); }
};

void run_forward_cuda(KernelCall& call) {
  const Operands o(call, 0);
  const Tensor self = plain_input(call.tensor(kForwards["self"]));
  const int64_t reduction = call.integer(kForwards["reduction"]);
  const Likelihoods likelihoods{o.targets, Scores(self), elements_of(o.weight)};
  DenseOutput losses(call.outputs[0]);
  if (reduction == kReduceNone && self.dim() > 1) {
    cuda_module::launch_each(o.device, o.count(), EachLoss{likelihoods, elements_of(losses.tensor)});
    fill_elements(call.outputs[1], 0.0);
  } else {
    DeviceReduction::run_to(
        SumOfLosses{likelihoods},
        StoreLoss{elements_of(losses.tensor), elements_of(call.outputs[1]), reduction == kReduceMean,
                  self.dim() == 1 ? o.targets.at : nullptr, o.targets.ignored},
        o.target, TensorMeta(DType::F64, std::span<const SymInt>(), self.device()), kAllDims);
  }
  losses.finish();
}

void run_backward_cuda(KernelCall& call) {
  const Operands o(call, 1);
  const Tensor& out = call.outputs[0];
  const int64_t reduction = call.integer(kBackwards["reduction"]);
  const Tensor grad = dense_input(call.tensor(kBackwards["grad_output"])),
               total = dense_input(call.tensor(kBackwards["total_weight"]));
  fill_elements(out, 0.0);
  cuda_module::launch_each(o.device, o.count(),
                           Slope{o.targets, Scores(out), elements_of(o.weight), elements_of(grad), elements_of(total),
                                 reduction == kReduceNone && out.dim() > 1, reduction == kReduceMean});
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.nll_loss_forward.default", run_forward_cuda);
  cuda_module::attach(registry, "aten.nll_loss2d_forward.default", run_forward_cuda);
  cuda_module::attach(registry, "aten.nll_loss_backward.default", run_backward_cuda);
  cuda_module::attach(registry, "aten.nll_loss2d_backward.default", run_backward_cuda);
}

}  // namespace ersatz::op_nll_loss
