// The reduction engine for CUDA devices: sums, extrema, norms and moments.
//
// A reduction is a struct like those of the CPU's loops (reduce_loops.h), with methods that run on host and device. Its
// `step` may have one more parameter: the index of the element among the reduced elements. The order of folding depends
// only on sizes, strides and alignment, because there are no atomics. REQUIRES: `merge` is commutative except for
// rounding, because threads fold interleaved elements. Included by *_cuda.cu files.
#pragma once

#include <bit>
#include <type_traits>

#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_loop.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/reduction/device_fold.h"
#include "kernels/reduction/reduce_launch.h"
#include "kernels/reduction/reduce_plan.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"
#include "runtime/op/copy.h"

namespace ersatz {
namespace device_reduce {

/// A sink is called for each output, with the output's offset in elements and its total. This sink stores
/// `r.finish(total)`.
template <class R>
struct StoreFinished {
  R r;
  typename R::Out* out;
  ERSATZ_DEVICE void operator()(int64_t at, const typename R::Total& total) const { out[at] = r.finish(total); }
};

/// Whether the plan has at most kDeviceDims kept and reduced dims, which the kernel's arguments can hold.
inline bool fits(const ReducePlan& p) {
  return p.kept.size() <= pointwise::kDeviceDims && p.reduced.size() <= pointwise::kDeviceDims;
}

/// Returns how the reduced elements are laid out. REQUIRES: `pack` is the number of elements in a packet.
template <class In>
ReducedLayout reduced_layout(const ReducePlan& p, const In* in, int pack) {
  if (p.count == 0 || p.reduced.empty() || p.reduced.back().in != 1) return ReducedLayout::Strided;
  if (p.reduced.size() == 1) return ReducedLayout::Row;
  if (p.reduced.size() > 2 || p.count / pack > pointwise::kDeviceElements) return ReducedLayout::Strided;
  bool aligned = reinterpret_cast<uintptr_t>(in) % 16 == 0;
  aligned &= p.reduced[0].in % pack == 0 && p.reduced[1].size % pack == 0;
  for (const ReducePlan::Dim& d : p.kept) aligned &= d.in % pack == 0;
  return aligned ? ReducedLayout::Rows : ReducedLayout::Strided;
}

/// Whether `columns` adjacent outputs have adjacent elements that one aligned load can read.
template <class In>
bool reads_columns(const ReducePlan& p, const In* in, int columns) {
  if (columns == 1 || p.count == 0 || p.kept.empty() || p.kept.back().in != 1 || p.kept.back().size % columns != 0) {
    return false;
  }
  bool aligned = reinterpret_cast<uintptr_t>(in) % (sizeof(In) * size_t(columns)) == 0;
  for (const ReducePlan::Dim& d : p.reduced) aligned &= d.in % columns == 0;
  for (size_t d = 0; d + 1 < p.kept.size(); ++d) aligned &= p.kept[d].in % columns == 0;
  return aligned;
}

/// Folds `in` by the plan. Calls sink(at, total) for every output; `at` is the offset by the plan's output strides.
template <class R, class Sink>
void run_plan(int device, const R& r, const Sink& sink, const ReducePlan& p, const typename R::In* in) {
  if (p.outputs == 0) return;
  const bool reduced_inner = p.reduced.empty() || p.kept.empty() || p.reduced.back().in <= p.kept.back().in;
  constexpr int kPack = Work<R, Sink>::kPack, kColumns = Work<R, Sink>::kColumns;
  const int columns = !reduced_inner && reads_columns(p, in, kColumns) ? kColumns : 1;
  Work<R, Sink> work{r, sink, in, {}, {}, pointwise::LongDivisor(p.outputs / columns), p.count};
  work.kept.wide = p.outputs > pointwise::kDeviceElements;
  work.reduced.wide = p.count > pointwise::kDeviceElements;
  for (const ReducePlan::Dim& d : p.kept) work.kept.push_inner(d.size, {d.in, d.out});
  for (size_t d = 0; p.count > 0 && d < p.reduced.size(); ++d) {
    work.reduced.push_inner(p.reduced[d].size, {p.reduced[d].in});
  }
  if (reduced_inner && p.count > kShortRow) work.layout = reduced_layout(p, in, kPack);
  const ReduceLaunch launch = choose_reduce_launch(
      p.outputs / columns, p.count, reduced_inner, work.layout != ReducedLayout::Strided,
      busy_threads(cuda_module::device_properties(device).multiprocessors) / (columns > 1 ? 2 : 1));
  work.pieces = launch.pieces;
  work.length = ((p.count + launch.pieces - 1) / launch.pieces + 15) / 16 * 16;
  if (work.layout == ReducedLayout::Rows) {
    work.row_packs = pointwise::FastDivisor(static_cast<uint32_t>(p.reduced[1].size / kPack));
    work.row_stride = p.reduced[0].in;
  }
  const cuda_module::DeviceScratch scratch(
      device, launch.pieces > 1 ? launch.pieces * p.outputs * static_cast<int64_t>(sizeof(typename R::Total)) : 0);
  work.totals = scratch.as<typename R::Total>();
  const int shift = std::countr_zero(static_cast<unsigned>(launch.width));
  const int64_t each = launch.threads / launch.width;
  const int64_t blocks = (p.outputs / columns * launch.pieces + each - 1) / each;
  const auto fold = [&]<ReadBy kBy>(std::integral_constant<ReadBy, kBy>) {
    cuda_module::launch_blocks(device, blocks, launch.threads, 0, Fold<R, Sink, kBy>{work, shift});
  };
  if constexpr (kColumns > 1) {
    if (columns > 1) fold(std::integral_constant<ReadBy, ReadBy::Columns>());
  }
  if (columns == 1 && work.layout == ReducedLayout::Strided) {
    fold(std::integral_constant<ReadBy, ReadBy::Elements>());
  } else if (columns == 1) {
    fold(std::integral_constant<ReadBy, ReadBy::Packets>());
  }
  if (launch.pieces == 1) return;
  cuda_module::launch_blocks(device, p.outputs,
                             cuda_module::threads_for_row(launch.pieces, ReduceLaunch::kPieceThreads), 0,
                             FoldPieces<R, Sink>{r, sink, work.kept, work.totals, p.outputs, launch.pieces});
}

/// Returns a row-major copy of `in` with the reduced dims at the end. Needed if `fits` is false for the plan of `in`.
inline Tensor reduced_last(const Tensor& in, DimMask mask) {
  TensorMeta shape(in.dtype(), std::span<const SymInt>(), std::span<const SymInt>(), in.device());
  TensorMeta permuted = in.meta();
  permuted.sizes.clear();
  permuted.strides.clear();
  for (bool reduced : {false, true}) {
    for (size_t d = 0; d < in.meta().sizes.size(); ++d) {
      if (reduces(mask, d) != reduced) continue;
      permuted.sizes.push_back(in.sizes()[d]);
      permuted.strides.push_back(in.strides()[d]);
    }
  }
  shape.sizes = permuted.sizes;
  shape.strides = contiguous_strides(shape.sizes);
  Tensor copy = make_real_tensor(std::move(shape));
  copy_elements(copy, make_view(in, std::move(permuted)));
  return copy;
}

}  // namespace device_reduce

/// Runs reductions on a CUDA device. The bodies of ops are templates over this class or HostReduction.
struct DeviceReduction {
  static constexpr bool kOnDevice = true;
  template <class T>
  using Element = DeviceType_t<T>;

  /// Writes the reduction of `in` over `mask` to `out`, which has the sizes of `reduced_meta`. REQUIRES: no lazy bits.
  template <class R>
  static void run(const R& r, const Tensor& in, const Tensor& out, DimMask mask) {
    if (device_reduce::fits(plan_reduction(in.meta(), out.meta(), mask)) || is_contiguous(out.meta())) {
      return store(r, in, out, mask);
    }
    DenseOutput dense(out);
    store(r, in, dense.tensor, mask);
    dense.finish();
  }
  /// Calls sink(at, total) for each output. `at` is an offset in elements by the strides of `out`. REQUIRES: `out` is
  /// row-major if device_reduce::fits is false for the plan.
  template <class R, class Sink>
  static void run_to(const R& r, const Sink& sink, const Tensor& in, const TensorMeta& out, DimMask mask) {
    const int device = in.device().index;
    const ReducePlan plan = plan_reduction(in.meta(), out, mask);
    if (device_reduce::fits(plan)) {
      return device_reduce::run_plan(device, r, sink, plan, reinterpret_cast<const typename R::In*>(in.raw_data()));
    }
    const Tensor last = device_reduce::reduced_last(in, mask);
    ReducePlan flat;
    flat.outputs = plan.outputs;
    flat.count = plan.count;
    flat.kept.push_back({plan.outputs, plan.count, 1});
    flat.reduced.push_back({plan.count, 1, 0});
    device_reduce::run_plan(device, r, sink, flat, reinterpret_cast<const typename R::In*>(last.raw_data()));
  }

 private:
  template <class R>
  static void store(const R& r, const Tensor& in, const Tensor& out, DimMask mask) {
    run_to(r, device_reduce::StoreFinished<R>{r, reinterpret_cast<typename R::Out*>(out.raw_data())}, in, out.meta(),
           mask);
  }
};

}  // namespace ersatz
