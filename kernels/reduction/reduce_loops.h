// The CPU loops of every reduction that folds elements: sum, mean, prod, extrema, any, all, norms, variance.
//
// A reduction is a struct:
//   using In, Acc, Total, Out;      an Acc folds up to 1024 elements, a Total folds Accs: so f32 sums stay accurate
//   Acc start() const;              the identity
//   void step(Acc&, In) const;
//   Total open() const;             the identity
//   void fold(Total&, const Acc&) const;
//   void merge(Total&, const Total&) const;
//   Out finish(const Total&) const;
// The order of folding depends on sizes and strides only, never on the number of threads. Included by _cpu.cpp files.
#pragma once

#include <memory>

#include "kernels/reduction/reduce_plan.h"
#include "runtime/base/parallel.h"

namespace ersatz {
namespace reduce_detail {

constexpr int64_t kPiece = 1024;     // elements that one Acc folds
constexpr int64_t kTile = 128;       // least number of outputs that are folded together
constexpr int64_t kWidest = 512;     // most outputs that are folded together: their Accs fit the L1 cache
constexpr int64_t kGrain = 1 << 15;  // approximate number of elements in one task
constexpr int64_t kSplit = 1 << 17;  // few outputs with at least so many elements each: reduced dims are split

/// Iterates over the indices of the plan's outer dims and their offsets in the input and in the output.
class Odometer {
 public:
  Odometer(std::span<const ReducePlan::Dim> dims, int64_t index) : dims_(dims) {
    for (size_t i = dims.size(); i-- > 0;) {
      at_.push_back(index % dims[i].size);
      index /= dims[i].size;
      in += at_.back() * dims[i].in;
      out += at_.back() * dims[i].out;
    }
  }
  void next() {
    for (size_t k = 0; k < at_.size(); ++k) {
      const ReducePlan::Dim& d = dims_[dims_.size() - 1 - k];
      in += d.in;
      out += d.out;
      if (++at_[k] < d.size) return;
      in -= d.size * d.in;
      out -= d.size * d.out;
      at_[k] = 0;
    }
  }
  int64_t in = 0, out = 0;

 private:
  std::span<const ReducePlan::Dim> dims_;
  InlineVec<int64_t, 6> at_;  // index in each dim, the innermost first
};

/// Folds n elements at distance `stride` into `total`, with sixteen Accs so that the loop vectorises.
template <class R>
void fold_row(const R& r, const typename R::In* x, int64_t n, int64_t stride, typename R::Total& total) {
  constexpr int64_t kLanes = 16;
  if (n < 2 * kLanes) {
    auto acc = r.start();
    for (int64_t i = 0; i < n; ++i) r.step(acc, x[i * stride]);
    r.fold(total, acc);
    return;
  }
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t end = std::min(n, begin + kPiece);
    typename R::Acc lanes[kLanes];
    for (auto& lane : lanes) lane = r.start();
    int64_t i = begin;
    if (stride == 1) {
      for (; i + kLanes <= end; i += kLanes) {
        for (int64_t l = 0; l < kLanes; ++l) r.step(lanes[l], x[i + l]);
      }
    } else {
      for (; i + kLanes <= end; i += kLanes) {
        for (int64_t l = 0; l < kLanes; ++l) r.step(lanes[l], x[(i + l) * stride]);
      }
    }
    for (; i < end; ++i) r.step(lanes[0], x[i * stride]);
    for (const auto& lane : lanes) r.fold(total, lane);
  }
}

/// Folds output by output, if the reduced dims are the inner ones in memory. Calls sink(offset in out, total).
template <class R, class Sink>
void rows(const R& r, const ReducePlan& p, const typename R::In* x, int64_t begin, int64_t end, Sink&& sink) {
  Odometer kept(p.kept, begin);
  const bool flat = p.reduced.size() <= 1;
  const int64_t n = p.reduced.empty() ? 1 : p.reduced.back().size, stride = p.reduced.empty() ? 1 : p.reduced.back().in;
  for (int64_t o = begin; o < end; ++o, kept.next()) {
    auto total = r.open();
    if (flat) {
      fold_row(r, x + kept.in, n, stride, total);
    } else {
      Odometer outer(std::span(p.reduced.data(), p.reduced.size() - 1), 0);
      for (int64_t k = p.count / n; k > 0; --k, outer.next()) fold_row(r, x + kept.in + outer.in, n, stride, total);
    }
    sink(kept.out, total);
  }
}

/// Returns the number of outputs that are folded together. Wide tiles read long parts of rows, but each thread needs
/// work.
inline int64_t tile_width(const ReducePlan& p) {
  const int64_t share = p.outputs / pool_threads() / kTile * kTile;
  return std::min(std::clamp(share, kTile, kWidest), p.kept.back().size);
}

/// Folds `count` rows into `accs`. A row has `width` elements with stride `in`. Four rows at a time need only one pass
/// over `accs`, and do not change the order of folding.
template <class R>
void fold_rows(const R& r, const typename R::In* x, Odometer& at, int64_t count, int64_t width, int64_t in,
               typename R::Acc* accs) {
  int64_t k = 0;
  for (; in == 1 && k + 4 <= count; k += 4) {
    const typename R::In* rows[4];
    for (auto& row : rows) {
      row = x + at.in;
      at.next();
    }
    const typename R::In *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    for (int64_t j = 0; j < width; ++j) {
      auto acc = accs[j];
      r.step(acc, a[j]);
      r.step(acc, b[j]);
      r.step(acc, c[j]);
      r.step(acc, d[j]);
      accs[j] = acc;
    }
  }
  for (; k < count; ++k, at.next()) {
    const typename R::In* row = x + at.in;
    if (in == 1) {
      for (int64_t j = 0; j < width; ++j) r.step(accs[j], row[j]);
    } else {
      for (int64_t j = 0; j < width; ++j) r.step(accs[j], row[j * in]);
    }
  }
}

/// Folds `tile` adjacent outputs together, if a kept dim is the innermost in memory. `begin` and `end` are numbers of
/// tiles.
template <class R, class Sink>
void columns(const R& r, const ReducePlan& p, int64_t tile, const typename R::In* x, int64_t begin, int64_t end,
             Sink&& sink) {
  const ReducePlan::Dim inner = p.kept.back();
  const int64_t tiles = (inner.size + tile - 1) / tile;
  const std::span<const ReducePlan::Dim> outer_dims(p.kept.data(), p.kept.size() - 1);
  typename R::Acc accs[kWidest];
  typename R::Total totals[kWidest];
  for (int64_t t = begin; t < end; ++t) {
    const Odometer kept(outer_dims, t / tiles);
    const int64_t j0 = t % tiles * tile, width = std::min(tile, inner.size - j0);
    const typename R::In* from = x + kept.in + j0 * inner.in;
    for (int64_t j = 0; j < width; ++j) totals[j] = r.open();
    Odometer at(p.reduced, 0);
    for (int64_t k = 0; k < p.count; k += kPiece) {
      for (int64_t j = 0; j < width; ++j) accs[j] = r.start();
      fold_rows(r, from, at, std::min(kPiece, p.count - k), width, inner.in, accs);
      for (int64_t j = 0; j < width; ++j) r.fold(totals[j], accs[j]);
    }
    for (int64_t j = 0; j < width; ++j) sink(kept.out + (j0 + j) * inner.out, totals[j]);
  }
}

/// Receives the totals: passes them to the sink, or stores them in `kept` to be merged later. One type does both, so
/// that the loops are compiled once.
template <class R, class Sink>
struct Totals {
  const Sink& sink;
  typename R::Total* kept;  ///< null if totals go to the sink
  void operator()(int64_t at, const typename R::Total& total) const {
    if (kept) {
      kept[at] = total;
    } else {
      sink(at, total);
    }
  }
};

/// Computes all outputs of a plan, on several threads if there is enough work.
template <class R, class Sink>
void all_outputs(const R& r, const ReducePlan& p, const typename R::In* x, bool parallel, const Totals<R, Sink>& sink) {
  const bool by_columns = !p.kept.empty() && !p.reduced.empty() && p.kept.back().in < p.reduced.back().in;
  if (by_columns) {
    const int64_t tile = tile_width(p);
    const int64_t tiles = (p.kept.back().size + tile - 1) / tile * (p.outputs / p.kept.back().size);
    const int64_t grain = parallel ? std::max<int64_t>(1, kGrain / (tile * p.count)) : tiles;
    parallel_for(tiles, grain, [&](int64_t b, int64_t e) { columns(r, p, tile, x, b, e, sink); });
  } else {
    const int64_t grain = parallel ? std::max<int64_t>(1, kGrain / (p.count + 1)) : p.outputs;
    parallel_for(p.outputs, grain, [&](int64_t b, int64_t e) { rows(r, p, x, b, e, sink); });
  }
}

}  // namespace reduce_detail

/// Folds `in` over the plan's reduced dims. Calls sink(at, total) for every output; `at` is the offset by the plan's
/// output strides.
template <class R, class Sink>
void reduce_to(const R& r, const ReducePlan& p, const typename R::In* in, const Sink& sink) {
  using namespace reduce_detail;
  if (p.outputs == 0) return;
  if (p.count == 0) {
    Odometer kept(p.kept, 0);
    for (int64_t o = 0; o < p.outputs; ++o, kept.next()) sink(kept.out, r.open());
    return;
  }
  if (p.outputs * 64 > p.count || p.count < kSplit) {
    all_outputs(r, p, in, true, Totals<R, Sink>{sink, nullptr});
    return;
  }
  // There are few outputs with many elements. The outermost reduced dim is cut into pieces with a total for each; then
  // the totals are merged in order.
  const ReducePlan::Dim outer = p.reduced[0];
  const int64_t inner = p.count / outer.size;
  const int64_t step = std::max<int64_t>(1, (kSplit / 2 + inner - 1) / inner), pieces = (outer.size + step - 1) / step;
  // Totals are stored in the order of the kept dims, so row-major strides replace the plan's output strides.
  ReducePlan dense = p;
  int64_t stride = 1;
  for (size_t i = dense.kept.size(); i-- > 0;) {
    dense.kept[i].out = stride;
    stride *= dense.kept[i].size;
  }
  std::unique_ptr<typename R::Total[]> totals(new typename R::Total[pieces * p.outputs]);
  parallel_for(pieces, 1, [&](int64_t b, int64_t e) {
    for (int64_t piece = b; piece < e; ++piece) {
      ReducePlan part = dense;
      part.reduced[0].size = std::min(step, outer.size - piece * step);
      part.count = part.reduced[0].size * inner;
      all_outputs(r, part, in + piece * step * outer.in, false, Totals<R, Sink>{sink, &totals[piece * p.outputs]});
    }
  });
  Odometer kept(p.kept, 0);
  for (int64_t o = 0; o < p.outputs; ++o, kept.next()) {
    auto total = totals[o];
    for (int64_t piece = 1; piece < pieces; ++piece) r.merge(total, totals[piece * p.outputs + o]);
    sink(kept.out, total);
  }
}

/// Writes the reduction of `in` to `out`.
template <class R>
void reduce(const R& r, const ReducePlan& p, const typename R::In* in, typename R::Out* out) {
  reduce_to(r, p, in, [&](int64_t at, const typename R::Total& total) { out[at] = r.finish(total); });
}

}  // namespace ersatz
