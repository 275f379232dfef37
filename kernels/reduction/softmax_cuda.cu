// softmax, log_softmax and _safe_softmax on CUDA.
//
// A dense row that fits into the registers of its threads is read once. A longer or strided row is read twice. The
// first pass computes the largest element and the sum of exponentials (Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018), the second pass the results.
#include <cmath>
#include <limits>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/device_row.h"
#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/reduce_launch.h"
#include "kernels/reduction/softmax.h"
#include "kernels/reduction/softmax_rows.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_softmax {
namespace {

/// The largest element `top` so far, and the sum of exp(x - top) over the elements that are not -inf.
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
      sum += double(std::exp(v - top));  // a NaN makes the sum NaN
    }
  }
  /// Adds the elements of a packet: one exponential for each, and one to rescale `sum` if the packet raises `top`.
  template <class T, int kItems>
  ERSATZ_DEVICE void add(const Packet<T, kItems>& packet) {
    C high = top;
    ERSATZ_UNROLL
    for (int k = 0; k < kItems; ++k) high = C(packet.item[k]) > high ? C(packet.item[k]) : high;
    if (high > top) sum *= double(std::exp(top - high));
    top = high;
    const C center = high == kLowest ? C(0) : high;
    C part = 0;
    ERSATZ_UNROLL
    for (int k = 0; k < kItems; ++k) part += std::exp(C(packet.item[k]) - center);
    sum += double(part);
  }
};
template <class C>
struct MergePowers {
  ERSATZ_DEVICE Powers<C> operator()(const Powers<C>& a, const Powers<C>& b) const {
    if (a.top == b.top) return {a.top, a.sum + b.sum};
    const bool first = a.top > b.top;
    const C high = first ? a.top : b.top, low = first ? b.top : a.top;
    return {high, (first ? a.sum : b.sum) + (first ? b.sum : a.sum) * double(std::exp(low - high))};
  }
};

struct Larger {
  template <class C>
  ERSATZ_DEVICE C operator()(C a, C b) const {
    return b > a ? b : a;  // ignores a NaN, because it makes the sum of exponentials NaN
  }
};

/// Softmax of dense rows that fit into the registers of a team of threads.
template <class T, class C>
struct HeldSoftmaxRows {
  using Held = HeldRow<T, C>;
  const T* in;
  T* out;
  int64_t rows, n;
  SoftmaxKind kind;
  RowTeam team;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    constexpr C kLowest = Powers<C>::kLowest;
    const int64_t row = team.row(block);
    const bool works = row < rows;
    const int64_t base = works ? row * n : 0;
    const int member = team.member(block), width = team.width();
    const typename Held::Cut cut(out + base, works ? n : 0, team.loose_ends);
    Held held;
    held.read(in + base, cut, member, width, T(kLowest));
    C top = kLowest;
    held.each([&](C x) { top = Larger()(top, x); });
    top = block.reduce(top, Larger(), width);
    if (top == kLowest) top = 0;  // all elements are -inf: their exponentials become 0
    C part = 0;
    held.each([&](C& x) {
      x -= top;
      const C power = std::exp(x);
      part += power;
      if (kind != SoftmaxKind::Logarithms) x = power;
    });
    const C sum = C(block.reduce(double(part), Plus(), width));
    const bool hidden = kind == SoftmaxKind::HiddenRowsAreZero && sum == 0;
    const C factor = hidden ? C(0) : 1 / sum, logarithm = std::log(sum);
    held.each([&](C& x) { x = kind == SoftmaxKind::Logarithms ? x - logarithm : x * factor; });
    held.write(out + base, cut, member, width);
  }
};

/// Computes the result for an element from the largest element and the sum of its row.
template <class C>
struct Result {
  C top, factor, logarithm;
  SoftmaxKind kind;
  bool hidden;

  ERSATZ_DEVICE Result(const Powers<C>& powers, SoftmaxKind k) : top(powers.top), kind(k) {
    hidden = kind == SoftmaxKind::HiddenRowsAreZero && top == Powers<C>::kLowest && powers.sum == 0;
    const double sum = top == -Powers<C>::kLowest ? std::numeric_limits<double>::quiet_NaN() : powers.sum;
    factor = C(1 / sum);
    logarithm = C(std::log(sum));
  }
  ERSATZ_DEVICE C operator()(C element) const {
    const C x = element - top;
    return hidden ? C(0) : kind == SoftmaxKind::Logarithms ? x - logarithm : std::exp(x) * factor;
  }
};

/// Softmax of dense rows that do not fit into registers: one block for each row.
template <class T, class C>
struct LongSoftmaxRows {
  static constexpr int kMostThreads = RowTeam::kLongRowThreads;
  const T* in;
  T* out;
  int64_t n;
  SoftmaxKind kind;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const T* x = in + block.index() * n;
    T* y = out + block.index() * n;
    const RowCut<kPacketItems<T>> cut(y, n);
    const int64_t packets = cut.packets(), width = block.threads();
    Powers<C> powers;
    for (int64_t p = block.thread(); p < packets; p += 2 * width) {
      const auto one = cut.read(x, cut.first(p), T(Powers<C>::kLowest));
      const auto other = cut.read(x, cut.first(p + width), T(Powers<C>::kLowest));
      powers.add(one);
      powers.add(other);
    }
    const Result<C> result(block.reduce(powers, MergePowers<C>()), kind);
    for (int64_t p = block.thread(); p < packets; p += width) {
      auto packet = cut.read(x, cut.first(p), T(0));
      ERSATZ_UNROLL
      for (T& element : packet.item) element = T(result(C(element)));
      cut.write(y, cut.first(p), packet);
    }
  }
};

/// The threads of a block: `lanes` adjacent columns, and `parts` threads for each column.
struct ColumnTeam {
  static constexpr int kThreads = 256;
  int lanes = 1, parts = 1;
};

constexpr ColumnTeam choose_column_team(int64_t rows, const ScanExtent& e, int64_t busy) {
  ColumnTeam team;
  while (team.lanes < 32 && team.lanes < e.inner) team.lanes *= 2;
  // A thread gets at least 8 elements. Columns are divided among more threads until the device is busy.
  while (team.lanes * team.parts < ColumnTeam::kThreads && team.parts * 16 <= e.n && rows * team.parts < busy) {
    team.parts *= 2;
  }
  team.lanes = ColumnTeam::kThreads / team.parts;
  return team;
}

/// Softmax of rows whose elements are not adjacent. Adjacent threads compute adjacent columns.
template <class T, class C>
struct SoftmaxColumns {
  static constexpr int kMostThreads = ColumnTeam::kThreads;
  const T* in;
  T* out;
  ScanExtent e;
  SoftmaxKind kind;
  ColumnTeam team;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const int lane = block.thread() % team.lanes, part = block.thread() / team.lanes;
    const int64_t row = block.index() * team.lanes + lane;
    const bool works = row < e.outer * e.inner;
    const int64_t outer = row / e.inner, base = outer * e.n * e.inner + (row - outer * e.inner);
    Powers<C> powers;
    for (int64_t i = part; works && i < e.n; i += team.parts) powers.add(C(in[base + i * e.inner]));
    if (team.parts > 1) powers = merged(block, powers, part);
    const Result<C> result(powers, kind);
    for (int64_t i = part; works && i < e.n; i += team.parts) {
      out[base + i * e.inner] = T(result(C(in[base + i * e.inner])));
    }
  }

 private:
  /// Merges the Powers of the threads that share a column. Each step halves the number of threads.
  ERSATZ_DEVICE Powers<C> merged(const cuda_module::Block& block, Powers<C> powers, int part) const {
    Powers<C>* const shared = block.template shared<Powers<C>>();
    shared[block.thread()] = powers;
    for (int half = team.parts / 2; half > 0; half /= 2) {
      block.sync();
      if (part >= half) continue;
      powers = MergePowers<C>()(powers, shared[block.thread() + half * team.lanes]);
      shared[block.thread()] = powers;
    }
    block.sync();
    return shared[block.thread() % team.lanes];
  }
};

void softmax_cuda(const Tensor& input, const Tensor& result, int64_t dim, SoftmaxKind kind) {
  if (result.numel().as_int() == 0) return;
  const int device = result.device().index;
  // Like `softmax` with a dtype, rounds the elements to the dtype of the result first.
  Tensor in = input;
  if (in.dtype() != result.dtype()) {
    in = make_real_tensor(TensorMeta(result.dtype(), in.sizes(), in.device()));
    copy_elements(in, input);
  }
  in = dense_input(in);
  DenseOutput out(result);
  const ScanExtent e = scan_extent(in.sizes(), dim);
  const int64_t rows = e.outer * e.inner;
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* from = reinterpret_cast<const T*>(in.raw_data());
    T* to = reinterpret_cast<T*>(out.tensor.raw_data());
    if (e.inner > 1) {
      const ColumnTeam team =
          choose_column_team(rows, e, busy_threads(cuda_module::device_properties(device).multiprocessors));
      return cuda_module::launch_blocks(device, (rows + team.lanes - 1) / team.lanes, ColumnTeam::kThreads,
                                        ColumnTeam::kThreads * sizeof(Powers<C>),
                                        SoftmaxColumns<T, C>{from, to, e, kind, team});
    }
    const RowTeam team = choose_row_team(to, e.n);
    if (!team.holds) {
      return cuda_module::launch_blocks(device, rows, team.threads, 0, LongSoftmaxRows<T, C>{from, to, e.n, kind});
    }
    cuda_module::launch_blocks(device, team.blocks(rows), team.threads, 0,
                               HeldSoftmaxRows<T, C>{from, to, rows, e.n, kind, team});
  });
  out.finish();
}

template <SoftmaxKind Kind>
void run_cuda(KernelCall& call) {
  softmax_cuda(call.tensor(kSoftmaxInt["self"]), call.outputs[0], call.integer(kSoftmaxInt["dim"]), Kind);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.softmax.int", run_cuda<SoftmaxKind::Probabilities>);
  cuda_module::attach(registry, "aten._softmax.default", run_cuda<SoftmaxKind::Probabilities>);
  cuda_module::attach(registry, "aten.log_softmax.int", run_cuda<SoftmaxKind::Logarithms>);
  cuda_module::attach(registry, "aten._log_softmax.default", run_cuda<SoftmaxKind::Logarithms>);
}

}  // namespace ersatz::op_softmax

void ersatz::softmax_on_device(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind) {
  op_softmax::softmax_cuda(in, out, dim, kind);
}
