// softmax, log_softmax and safe_softmax on CUDA: the largest element and the sum of powers in one pass (Milakov and
// Gimelshein, "Online normalizer calculation for softmax", 2018), then the results.
#include <cmath>
#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/reduce_launch.h"
#include "kernels/reduction/softmax_rows.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_softmax {
namespace {

/// `sum` is that of exp(x - top) over the elements so far, but for those that are -inf.
template <class C>
struct Powers {
  static constexpr C kLowest = -std::numeric_limits<C>::infinity();
  C top = kLowest;
  double sum = 0;

  ERSATZ_DEVICE void add(C v) {
    if (v == kLowest) return;
    if (v > top) {
      sum = sum * double(std::exp(top - v)) + 1;
      top = v;
    } else {
      sum += double(std::exp(v - top));  // NaN stays
    }
  }
};
template <class C>
struct MergePowers {
  ERSATZ_DEVICE Powers<C> operator()(const Powers<C>& a, const Powers<C>& b) const {
    if (a.top == b.top) return {a.top, a.sum + b.sum};
    const Powers<C>&high = a.top > b.top ? a : b, &low = a.top > b.top ? b : a;
    return {high.top, high.sum + low.sum * double(std::exp(low.top - high.top))};
  }
};

template <class T, class C>
struct SoftmaxRows {
  const T* in;
  T* out;
  ScanExtent e;
  SoftmaxKind kind;
  ReduceTeam team;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    constexpr int kWarp = cuda_module::Block::kWarp;
    const int64_t width = team == ReduceTeam::Thread ? 1 : team == ReduceTeam::Warp ? kWarp : block.threads();
    const int64_t row = (block.index() * block.threads() + block.thread()) / width, member = block.thread() % width;
    const bool works = row < e.outer * e.inner;
    const int64_t outer = row / e.inner, base = outer * e.n * e.inner + (row - outer * e.inner);
    Powers<C> powers;
    for (int64_t i = member; works && i < e.n; i += width) powers.add(C(in[base + i * e.inner]));
    if (team == ReduceTeam::Block) {
      powers = block.reduce(powers, MergePowers<C>());
    } else if (team == ReduceTeam::Warp) {
      // Every lane needs the result: lane 0's goes round.
      for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        const Powers<C> other = block.from_lane(powers, distance);
        if (block.lane() + distance < kWarp) powers = MergePowers<C>()(powers, other);
      }
      Powers<C>* const shared = block.template shared<Powers<C>>();
      if (member == 0) shared[block.thread() / kWarp] = powers;
      block.sync();
      powers = shared[block.thread() / kWarp];
    }
    if (works) write(base, member, width, powers);
  }

 private:
  ERSATZ_DEVICE void write(int64_t base, int64_t member, int64_t width, const Powers<C>& powers) const {
    const C top = powers.top;
    const bool hidden = kind == SoftmaxKind::HiddenRowsAreZero && top == Powers<C>::kLowest && powers.sum == 0;
    const double sum = top == -Powers<C>::kLowest ? std::numeric_limits<double>::quiet_NaN() : powers.sum;
    const C factor = C(1 / sum), logarithm = C(std::log(sum));
    for (int64_t i = member; i < e.n; i += width) {
      const int64_t at = base + i * e.inner;
      const C x = C(in[at]) - top;
      out[at] = T(hidden ? C(0) : kind == SoftmaxKind::Logarithms ? x - logarithm : std::exp(x) * factor);
    }
  }
};

void softmax_cuda(const Tensor& input, const Tensor& result, int64_t dim, SoftmaxKind kind) {
  if (result.numel().as_int() == 0) return;
  const int device = result.device().index;
  // The elements are rounded to the dtype of the result first: as `softmax` with a dtype does.
  Tensor in = input;
  if (in.dtype() != result.dtype()) {
    in = make_real_tensor(TensorMeta(result.dtype(), in.sizes(), in.device()));
    copy_elements(in, input);
  }
  in = dense_input(in);
  DenseOutput out(result);
  const ScanExtent e = scan_extent(in.sizes(), dim);
  const int64_t rows = e.outer * e.inner;
  // Columns side by side are a thread each; few long ones are worth a block each all the same.
  const bool alone = e.inner == 1 || (rows < 4096 && e.n > 1024);
  const ReduceLaunch launch = choose_reduce_launch(rows, e.n, alone);
  const int64_t width = launch.team == ReduceTeam::Thread ? 1
                        : launch.team == ReduceTeam::Warp ? cuda_module::Block::kWarp
                                                          : launch.threads;
  const int64_t each = launch.threads / width;
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    cuda_module::launch_blocks(device, (rows + each - 1) / each, launch.threads, sizeof(Powers<C>) * 32,
                               SoftmaxRows<T, C>{reinterpret_cast<const T*>(in.raw_data()),
                                                 reinterpret_cast<T*>(out.tensor.raw_data()), e, kind, launch.team});
  });
  out.finish();
}

template <SoftmaxKind Kind>
void run_cuda(KernelCall& call) {
  softmax_cuda(call.tensor(0), call.outputs[0], call.integer(1), Kind);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.softmax.int", run_cuda<SoftmaxKind::Probabilities>);
  cuda_module::attach(registry, "aten._softmax.default", run_cuda<SoftmaxKind::Probabilities>);
  cuda_module::attach(registry, "aten.log_softmax.int", run_cuda<SoftmaxKind::Logarithms>);
  cuda_module::attach(registry, "aten._log_softmax.default", run_cuda<SoftmaxKind::Logarithms>);
  cuda_module::attach(registry, "aten._safe_softmax.default", run_cuda<SoftmaxKind::HiddenRowsAreZero>);
}

}  // namespace ersatz::op_softmax
