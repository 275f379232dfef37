// Device code of the reduction engine (device_reduce.h): which elements a thread, a team of threads or a block folds,
// and how their totals are merged. Included by device_reduce.h.
#pragma once

#include "kernels/pointwise/device_value.h"
#include "kernels/pointwise/long_offsets.h"
#include "kernels/reduction/device_row.h"
#include "kernels/reduction/reduce_launch.h"
#include "kernels/reduction/reduce_plan.h"
#include "runtime/cuda/launch.h"

namespace ersatz {
namespace device_reduce {

/// Calls r.step. Passes the element's index too if the `step` of the reduction R has a parameter for it.
template <class R, class In>
ERSATZ_DEVICE void step(const R& r, typename R::Acc& acc, const In& value, int64_t index) {
  if constexpr (requires { r.step(acc, value, index); }) {
    r.step(acc, value, index);
  } else {
    r.step(acc, value);
  }
}

/// How the elements that are reduced to one output are laid out in memory.
enum class ReducedLayout : uint8_t {
  Strided,  ///< the elements have any strides, and are read one by one
  Row,      ///< the elements are adjacent, and are read 16 bytes at a time, at any address
  Rows      ///< several rows at equal distances; each row consists of whole aligned packets of adjacent elements
};

/// The parameters of the first launch.
template <class R, class Sink>
struct Work {
  using In = typename R::In;
  using Acc = typename R::Acc;
  using Total = typename R::Total;
  static constexpr int kLanes = sizeof(Acc) <= 8 ? 4 : 1;                        // Accs of a thread
  static constexpr int kLoads = kLanes == 1 ? 1 : sizeof(In) <= 4 ? 8 : kLanes;  // loads in flight: more if In is small
  static constexpr int64_t kPiece = 1024;  // elements that one Acc folds, as on the CPU
  // Adjacent outputs that one thread folds together, if their elements are adjacent. Only for types with few registers.
  static constexpr int kColumns = sizeof(In) <= 4 && sizeof(Acc) <= 8 && sizeof(Total) <= 8 ? 4 : 1;
  static constexpr int kPack = kPacketItems<In>;
  static constexpr int kAhead = kPack <= 4 ? 4 : kPack <= 8 ? 2 : 1;  // packets in flight
  using Pack = Packet<In, kPack>;

  R r;
  Sink sink;
  const In* in = nullptr;
  pointwise::LongOffsets<2> kept;     // strides in elements: input, output
  pointwise::LongOffsets<1> reduced;  // strides in elements
  pointwise::LongDivisor outputs;
  int64_t count = 0, pieces = 1;
  int64_t length = 0;  // elements of a piece, for a team of several threads: a multiple of 16
  ReducedLayout layout = ReducedLayout::Strided;
  pointwise::FastDivisor row_packs;  // ReducedLayout::Rows: packets of a row
  int64_t row_stride = 0;            // elements from one row to the next
  Total* totals = nullptr;           // totals of the pieces, [pieces, outputs]

  /// Folds elements begin, begin + by, ... before `end`, for kOutputs adjacent outputs.
  template <int kOutputs>
  ERSATZ_DEVICE void fold(Total (&totals)[kOutputs], const In* x, int64_t begin, int64_t end, int64_t by) const {
    using Side = Packet<In, kOutputs>;
    constexpr int kEach = kOutputs == 1 ? kLanes : 1;  // Accs for each output
    constexpr int kAtOnce = kOutputs == 1 ? kLoads : kLoads / 2;
    const auto side = [](const In* from) { return *reinterpret_cast<const Side*>(from); };
    const bool flat = reduced.offsets.dims <= 1;
    const int64_t stride = reduced.offsets.dims == 1 ? reduced.offsets.stride[0][0] : 0;
    ERSATZ_ROLLED
    for (int64_t i = begin; i < end;) {
      Acc acc[kEach][kOutputs];
      for (int k = 0; k < kEach; ++k) {
        for (int c = 0; c < kOutputs; ++c) acc[k][c] = r.start();
      }
      const int64_t stop = end - i > kPiece * by ? i + kPiece * by : end;
      ERSATZ_ROLLED
      for (; stop - i > (kAtOnce - 1) * by; i += kAtOnce * by) {
        Side values[kAtOnce];
        if (flat) {
          ERSATZ_UNROLL
          for (int k = 0; k < kAtOnce; ++k) values[k] = side(x + (i + k * by) * stride);
        } else {
          pointwise::LongOffsets<1>::At at[kAtOnce];
          reduced.of_each(i, by, at);
          ERSATZ_UNROLL
          for (int k = 0; k < kAtOnce; ++k) values[k] = side(x + at[k][0]);
        }
        ERSATZ_UNROLL
        for (int k = 0; k < kAtOnce; ++k) {
          ERSATZ_UNROLL
          for (int c = 0; c < kOutputs; ++c) step(r, acc[k % kEach][c], values[k].item[c], i + k * by);
        }
      }
      ERSATZ_ROLLED
      for (; i < stop; i += by) {
        const Side last = side(x + (flat ? i * stride : reduced.of(i)[0]));
        ERSATZ_UNROLL
        for (int c = 0; c < kOutputs; ++c) step(r, acc[0][c], last.item[c], i);
      }
      ERSATZ_UNROLL
      for (int c = 0; c < kOutputs; ++c) {
        for (int k = 0; k < kEach; ++k) r.fold(totals[c], acc[k][c]);
      }
    }
  }
  ERSATZ_DEVICE const In* in_rows(const In* x, int64_t pack) const {
    const uint32_t q = static_cast<uint32_t>(pack), row = row_packs.divide(q);
    return x + (row * row_stride + int64_t(q - row * row_packs.divisor) * kPack);
  }
  /// A team of threads folds elements begin to end: first the aligned packets, then the elements before and after the
  /// packets.
  ERSATZ_DEVICE void fold_packs(Total& total, const In* x, int64_t begin, int64_t end, int64_t member,
                                int64_t width) const {
    if (begin >= end) return;
    const bool rows = layout == ReducedLayout::Rows;
    const RowCut<kPack> cut(x + begin, end - begin);
    const int64_t skew = rows ? 0 : cut.skew, n = end - begin, last = (n + skew) / kPack;
    const In* const run = x + (begin - skew);
    ERSATZ_ROLLED
    for (int64_t p = (skew > 0) + member; p < last;) {
      Acc acc[kLanes];
      for (int k = 0; k < kLanes; ++k) acc[k] = r.start();
      ERSATZ_ROLLED
      for (int i = 0; i < kPiece / (kPack * kAhead) && p < last; ++i, p += kAhead * width) {
        Pack packs[kAhead];
        ERSATZ_UNROLL
        for (int j = 0; j < kAhead; ++j) {
          const int64_t q = p + j * width;
          if (q < last)
            packs[j] = *reinterpret_cast<const Pack*>(rows ? in_rows(x, begin / kPack + q) : run + q * kPack);
        }
        ERSATZ_UNROLL
        for (int j = 0; j < kAhead; ++j) {
          const int64_t q = p + j * width;
          if (q >= last) break;
          ERSATZ_UNROLL
          for (int k = 0; k < kPack; ++k) {
            step(r, acc[(j * kPack + k) % kLanes], packs[j].item[k], begin - skew + q * kPack + k);
          }
        }
      }
      for (int k = 0; k < kLanes; ++k) r.fold(total, acc[k]);
    }
    if (rows) return;
    int64_t head = skew > 0 ? kPack - skew : 0;
    if (head > n) head = n;
    const int64_t tail = last * kPack - skew > head ? last * kPack - skew : head, loose = head + n - tail;
    if (member >= loose) return;
    Acc acc = r.start();
    ERSATZ_ROLLED
    for (int64_t k = member; k < loose; k += width) {
      const int64_t i = begin + (k < head ? k : tail + k - head);
      step(r, acc, x[i], i);
    }
    r.fold(total, acc);
  }
  /// Stores the total of output number `output`, of `all` outputs. If elements are cut into pieces, the total of this
  /// piece goes to `totals`, otherwise the total goes to the sink.
  ERSATZ_DEVICE void write(int64_t output, int64_t all, int64_t piece, int64_t at, const Total& total) const {
    if (totals != nullptr) {
      totals[piece * all + output] = total;
    } else {
      sink(at, total);
    }
  }
};

template <class R>
struct Merge {
  R r;
  template <class Total>
  ERSATZ_DEVICE Total operator()(Total a, const Total& b) const {
    r.merge(a, b);
    return a;
  }
};

/// How a team of the first launch reads elements.
enum class ReadBy : uint8_t {
  Elements,  ///< one by one
  Packets,   ///< several elements of one output at a time, by several threads or a block for each output
  Columns    ///< one element of each of Work::kColumns adjacent outputs at a time, by one thread
};

/// The kernel of the first launch, compiled for each reduction, dtype and ReadBy. A team of one thread folds every
/// pieces-th element, so that adjacent threads read adjacent elements. A larger team folds a run of adjacent elements.
template <class R, class Sink, ReadBy kBy>
struct Fold {
  static constexpr int kMostThreads = ReduceLaunch::kMostThreads, kFewestBlocks = 1;
  static constexpr int kOutputs = kBy == ReadBy::Columns ? Work<R, Sink>::kColumns : 1;
  Work<R, Sink> work;  ///< `work.outputs` counts groups of kOutputs outputs
  int shift;           ///< a team has 2^shift threads
  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const int width = 1 << shift, member = block.thread() & (width - 1);
    const int64_t i = (block.index() * block.threads() + block.thread()) >> shift;
    const int64_t piece = work.outputs.divide(i), output = (i - piece * work.outputs.divisor) * kOutputs;
    const bool works = piece < work.pieces;
    typename R::Total totals[kOutputs];
    for (auto& total : totals) total = work.r.open();
    int64_t to = 0;
    if (works) {
      const auto at = work.kept.of(output);
      const auto* x = work.in + at[0];
      to = at[1];
      int64_t begin = piece, end = work.count, by = work.pieces;
      if (shift > 0) {
        begin = piece * work.length;
        end = begin + work.length < work.count ? begin + work.length : work.count;
        by = width;
        if constexpr (kBy == ReadBy::Elements) begin += member;
      }
      if constexpr (kBy == ReadBy::Packets) {
        work.fold_packs(totals[0], x, begin, end, member, width);
      } else {
        work.template fold<kOutputs>(totals, x, begin, end, by);
      }
    }
    if constexpr (kBy != ReadBy::Columns) {
      if (shift > 0) totals[0] = block.reduce(totals[0], Merge<R>{work.r}, width);
    }
    if (!works || member != 0) return;
    ERSATZ_UNROLL
    for (int c = 0; c < kOutputs; ++c) {
      work.write(output + c, work.outputs.divisor * kOutputs, piece, c == 0 ? to : work.kept.of(output + c)[1],
                 totals[c]);
    }
  }
};

/// The kernel of the second launch: one block for each output merges the totals of the output's pieces.
template <class R, class Sink>
struct FoldPieces {
  static constexpr int kMostThreads = ReduceLaunch::kPieceThreads;
  R r;
  Sink sink;
  pointwise::LongOffsets<2> kept;
  const typename R::Total* totals;
  int64_t outputs, pieces;
  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const int64_t output = block.index();
    auto total = r.open();
    ERSATZ_ROLLED
    for (int64_t p = block.thread(); p < pieces; p += block.threads()) r.merge(total, totals[p * outputs + output]);
    total = block.reduce(total, Merge<R>{r});
    if (block.thread() == 0) sink(kept.of(output)[1], total);
  }
};

}  // namespace device_reduce
}  // namespace ersatz
