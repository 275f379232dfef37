#include "kernels/dense_operand.h"
#include "kernels/loss/ctc_loss.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_ctc_loss {

Kernel run_cpu, run_backward_cpu;

namespace {

constexpr DTypeSet kTaken{DType::F32, DType::F64};
constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Returns log(exp(a) + exp(b)).
double log_add(double a, double b) {
  const double high = std::max(a, b);
  return high == kNever ? kNever : high + std::log1p(std::exp(std::min(a, b) - high));
}

/// One item of the batch. `labels` are its targets with a blank before, between and after them.
template <class T>
struct Item {
  const T* probs;  ///< log probabilities of step 0
  int64_t stride;  ///< distance of two steps in `probs`
  int64_t steps;
  std::vector<int64_t> labels;

  double log_prob(int64_t t, size_t s) const { return static_cast<double>(probs[t * stride + labels[s]]); }
  /// May an alignment go from label s to label s + 2 directly, without the label between them?
  bool skips(size_t s) const { return labels[s] != labels[s + 2]; }
};

/// The arguments from position `first` on: log_probs, targets, input lengths, target lengths.
class Batch {
 public:
  Batch(const KernelCall& call, size_t first, int64_t blank)
      : probs(dense_input(call.tensor(first))), targets_(dense_input(call.tensor(first + 1))), blank_(blank) {
    const auto inputs = call.ints(first + 2), lengths = call.ints(first + 3);
    inputs_.assign(inputs.begin(), inputs.end());
    lengths_.assign(lengths.begin(), lengths.end());
    classes = probs.sizes()[2].as_int();
    size = probs.sizes()[1].as_int();
    int64_t at = 0;
    for (int64_t b = 0; b < size; ++b) {
      starts_.push_back(targets_.dim() == 1 ? at : b * targets_.sizes()[1].as_int());
      at += length(b);
      for (int64_t i = 0; i < length(b); ++i) {
        if (target(b, i) < 0 || target(b, i) >= classes)
          fail_on_value(call, ErrorFamily::Runtime, "target {} of item {} is none of {} classes", target(b, i), b,
                        classes);
      }
    }
  }
  template <class T>
  Item<T> item(int64_t b) const {
    Item<T> result{probs.data<T>() + b * classes, size * classes, inputs_[static_cast<size_t>(b)], {blank_}};
    for (int64_t i = 0; i < length(b); ++i) {
      result.labels.push_back(target(b, i));
      result.labels.push_back(blank_);
    }
    return result;
  }

  Tensor probs;
  int64_t size, classes;

 private:
  int64_t length(int64_t b) const { return lengths_[static_cast<size_t>(b)]; }
  int64_t target(int64_t b, int64_t i) const {
    const int64_t at = starts_[static_cast<size_t>(b)] + i;
    return targets_.dtype() == DType::I32 ? targets_.data<int32_t>()[at] : targets_.data<int64_t>()[at];
  }
  Tensor targets_;
  int64_t blank_;
  std::vector<int64_t> inputs_, lengths_, starts_;
};

/// Returns the log likelihood, computed from the forward variables of the last step: an alignment ends with the last
/// blank or the last target.
template <class T>
double log_likelihood(const Item<T>& item, const std::vector<double>& last) {
  if (item.steps == 0) return item.labels.size() == 1 ? 0 : kNever;
  const size_t n = item.labels.size();
  return n == 1 ? last[0] : log_add(last[n - 1], last[n - 2]);
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Batch batch(call, kForward["log_probs"], call.integer(kForward["blank"]));
  DenseOutput losses(call.outputs[0]), alphas(call.outputs[1]);
  const int64_t rows = alphas.tensor.sizes()[1].as_int(), width = alphas.tensor.sizes()[2].as_int();
  dispatch_dtype<kTaken>(batch.probs.dtype(), [&]<class T>() {
    std::fill_n(alphas.tensor.data<T>(), batch.size * rows * width, static_cast<T>(kNever));
    for (int64_t b = 0; b < batch.size; ++b) {
      const Item<T> item = batch.item<T>(b);
      const size_t n = item.labels.size();
      std::vector<double> row(n, kNever), next(n);
      for (int64_t t = 0; t < item.steps; ++t) {
        for (size_t s = 0; s < n; ++s) {
          double sum = t == 0 ? (s < 2 ? 0 : kNever) : row[s];
          if (t > 0 && s > 0) sum = log_add(sum, row[s - 1]);
          if (t > 0 && s > 1 && item.skips(s - 2)) sum = log_add(sum, row[s - 2]);
          next[s] = sum + item.log_prob(t, s);
        }
        row.swap(next);
        T* to = alphas.tensor.data<T>() + (b * rows + t) * width;
        for (size_t s = 0; s < n; ++s) to[s] = static_cast<T>(row[s]);
      }
      losses.tensor.data<T>()[b] = static_cast<T>(-log_likelihood(item, row));
    }
  });
  losses.finish();
  alphas.finish();
}

void run_backward_cpu(KernelCall& call) {
  const Batch batch(call, kBackward["log_probs"], call.integer(kBackward["blank"]));
  const bool zero_infinity = call.boolean(kBackward["zero_infinity"]);
  const Tensor grads = dense_input(call.tensor(kBackward["grad"])),
               losses = dense_input(call.tensor(kBackward["neg_log_likelihood"])),
               alphas = dense_input(call.tensor(kBackward["log_alpha"]));
  const int64_t rows = alphas.sizes()[1].as_int(), width = alphas.sizes()[2].as_int();
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kTaken>(batch.probs.dtype(), [&]<class T>() {
    T* dx = out.tensor.data<T>();
    std::fill_n(dx, out.tensor.numel().as_int(), T(0));
    for (int64_t b = 0; b < batch.size; ++b) {
      const Item<T> item = batch.item<T>(b);
      const size_t n = item.labels.size();
      const double loss = static_cast<double>(losses.data<T>()[b]), slope = static_cast<double>(grads.data<T>()[b]);
      if (zero_infinity && loss == -kNever) continue;
      std::vector<double> row(n, kNever), next(n), passing(static_cast<size_t>(batch.classes));
      for (int64_t t = item.steps - 1; t >= 0; --t) {
        const T* alpha = alphas.data<T>() + (b * rows + t) * width;
        std::fill(passing.begin(), passing.end(), kNever);
        for (size_t s = 0; s < n; ++s) {
          const bool last = t == item.steps - 1;
          double sum = last ? (s + 2 >= n ? 0 : kNever) : row[s];
          if (!last && s + 1 < n) sum = log_add(sum, row[s + 1]);
          if (!last && s + 2 < n && item.skips(s)) sum = log_add(sum, row[s + 2]);
          next[s] = sum + item.log_prob(t, s);
          double& at = passing[static_cast<size_t>(item.labels[s])];
          at = log_add(at, next[s] + static_cast<double>(alpha[s]));
        }
        row.swap(next);
        for (int64_t c = 0; c < batch.classes; ++c) {
          const double p = static_cast<double>(item.probs[t * item.stride + c]);
          const double share = std::exp(passing[static_cast<size_t>(c)] + loss - p);
          dx[t * item.stride + b * batch.classes + c] = static_cast<T>((std::exp(p) - share) * slope);
        }
      }
    }
  });
  out.finish();
}

}  // namespace ersatz::op_ctc_loss
