#include <cmath>
#include <limits>
#include <memory>

#include "kernels/attention/flash_problem.h"
#include "kernels/linalg/gemm.h"
#include "kernels/pointwise/copy_engine.h"
#include "kernels/pointwise/row_table.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_flash_attention {
namespace {

constexpr int64_t kQueries = 64;  // the number of queries in one block of scores
// the number of keys in one block of scores, so few that the block fits into the L2 cache
constexpr int64_t kKeys = 512;

/// Returns the largest of n numbers, or NaN if one is NaN. Independent lanes let the compiler vectorise the loop.
template <class C>
C largest(const C* x, int64_t n) {
  constexpr int64_t kLanes = 16;
  C lanes[kLanes];
  for (C& lane : lanes) lane = -std::numeric_limits<C>::infinity();
  const auto take = [](C& a, C v) { a = v > a || v != v ? v : a; };
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t l = 0; l < kLanes; ++l) take(lanes[l], x[i + l]);
  }
  for (; i < n; ++i) take(lanes[0], x[i]);
  for (int64_t l = 1; l < kLanes; ++l) take(lanes[0], lanes[l]);
  return lanes[0];
}

template <class C>
C total(const C* x, int64_t n) {
  constexpr int64_t kLanes = 16;
  C lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t l = 0; l < kLanes; ++l) lanes[l] += x[i + l];
  }
  for (; i < n; ++i) lanes[0] += x[i];
  C sum = 0;
  for (C lane : lanes) sum += lane;
  return sum;
}

/// Computes attention for one block of queries of one head, in the type C. It reads the keys block by block, and
/// rescales the results whenever a larger score appears.
template <class C>
class Block {
 public:
  explicit Block(const Problem& p)
      : p_(p),
        scores_(new C[kQueries * kKeys]),
        out_(new C[kQueries * std::max<int64_t>(p.features, 1)]),
        mask_(new C[kKeys]),
        exp_(pointwise::find_row(pointwise::Row::exp, kDType)) {
    if (p.query.dtype != kDType) {
      query_.reset(new C[kQueries * p.features]);
      block_.reset(new C[kKeys * p.features]);
    }
  }

  void run(int64_t b, int64_t h, int64_t first) {
    const int64_t rows = std::min(kQueries, p_.queries - first);
    const int64_t held = h / p_.group;
    const int64_t keys = p_.causal ? std::min(p_.keys, first + rows) : p_.keys;
    const MatrixView out{reinterpret_cast<std::byte*>(out_.get()), rows, p_.features, std::max<int64_t>(p_.features, 1),
                         1};
    std::fill_n(out_.get(), rows * p_.features, C(0));
    for (int64_t i = 0; i < rows; ++i) {
      top_[i] = -std::numeric_limits<C>::infinity();
      sum_[i] = 0;
    }
    const MatrixView query = operand(p_.query, b, h, first, rows, query_.get());
    for (int64_t k = 0; k < keys; k += kKeys) {
      const int64_t n = std::min(kKeys, keys - k);
      const MatrixView scores{reinterpret_cast<std::byte*>(scores_.get()), rows, n, n, 1};
      if (p_.features == 0) {
        std::fill_n(scores_.get(), rows * n, C(0));
      } else {
        matrix_product(kDType, query, operand(p_.key, b, held, k, n, block_.get()).transposed(), scores,
                       Scalar(p_.scale));
      }
      for (int64_t i = 0; i < rows; ++i) exponentiate(b, h, first + i, i, k, n);
      if (p_.features > 0) {
        matrix_product(kDType, scores, operand(p_.value, b, held, k, n, block_.get()), out, Scalar(1.0), Scalar(1.0));
      }
    }
    for (int64_t i = 0; i < rows; ++i) store(b, h, first + i, i);
  }

 private:
  static constexpr DType kDType = dtype_of<C>;

  /// Returns rows of an operand as elements of type C. If `scratch` is null, the matrix is the operand's own memory,
  /// whose elements have type C. Otherwise the rows are converted to `scratch`.
  MatrixView operand(const Operand& o, int64_t b, int64_t h, int64_t first, int64_t rows, C* scratch) const {
    if (!scratch) return {o.at(b, h, first), rows, p_.features, o.strides[2], o.strides[3]};
    const int64_t sizes[] = {rows, p_.features}, dense[] = {p_.features, 1}, from[] = {o.strides[2], o.strides[3]};
    auto* to = reinterpret_cast<std::byte*>(scratch);
    if (rows * p_.features > 0) pointwise::copy_strided(sizes, to, kDType, dense, o.at(b, h, first), o.dtype, from);
    return {to, rows, p_.features, p_.features, 1};
  }

  /// Adds the masks to row i of the scores. Then replaces each score by exp(score - the largest score so far), and
  /// rescales the partial sums of the row.
  void exponentiate(int64_t b, int64_t h, int64_t query, int64_t i, int64_t key, int64_t n) {
    C* row = scores_.get() + i * n;
    if (p_.mask.data) {
      const int64_t sizes[] = {n}, dense[] = {1}, from[] = {p_.mask.strides[3]};
      pointwise::copy_strided(sizes, reinterpret_cast<std::byte*>(mask_.get()), kDType, dense,
                              p_.mask.at(b, h, query) + key * p_.mask.strides[3] * item_size(p_.mask.dtype),
                              p_.mask.dtype, from);
      for (int64_t j = 0; j < n; ++j) row[j] += mask_[j];
    }
    if (p_.causal) {
      for (int64_t j = std::max<int64_t>(0, query + 1 - key); j < n; ++j) {
        row[j] = -std::numeric_limits<C>::infinity();
      }
    }
    const C before = top_[i], found = largest(row, n), top = found > before || found != found ? found : before;
    if (top == -std::numeric_limits<C>::infinity()) {
      std::fill_n(row, n, C(0));
      return;
    }
    for (int64_t j = 0; j < n; ++j) row[j] -= top;
    void* data[] = {row, row};
    exp_(data, n, {});
    C rescale = 1;
    if (!(top == before)) {
      rescale = std::exp(before - top);
      for (int64_t d = 0; d < p_.features; ++d) out_[i * p_.features + d] *= rescale;
    }
    top_[i] = top;
    sum_[i] = sum_[i] * rescale + total(row, n);
  }

  void store(int64_t b, int64_t h, int64_t query, int64_t i) {
    const bool hidden = top_[i] == -std::numeric_limits<C>::infinity();
    C* row = out_.get() + i * p_.features;
    const C factor = hidden ? C(0) : C(1) / sum_[i];
    for (int64_t d = 0; d < p_.features; ++d) row[d] *= factor;
    const int64_t sizes[] = {p_.features}, dense[] = {1}, to[] = {p_.out.strides[3]};
    if (p_.features > 0) {
      pointwise::copy_strided(sizes, p_.out.at(b, h, query), p_.out.dtype, to, reinterpret_cast<std::byte*>(row),
                              kDType, dense);
    }
    *reinterpret_cast<C*>(p_.sums.at(b, h, query)) = hidden ? C(0) : top_[i] + std::log(sum_[i]);
  }

  const Problem& p_;
  std::unique_ptr<C[]> scores_, out_, mask_, query_, block_;
  pointwise::RowKernel exp_;
  C top_[kQueries] = {}, sum_[kQueries] = {};
};

template <class C>
void attend(const Problem& p) {
  const int64_t blocks = (p.queries + kQueries - 1) / kQueries;
  const int64_t work = std::max<int64_t>(1, std::min(kQueries, p.queries) * p.keys * (p.features + 8));
  parallel_for(p.batches * p.heads * blocks, std::max<int64_t>(1, (1 << 18) / work), [&](int64_t begin, int64_t end) {
    Block<C> block(p);
    for (int64_t t = begin; t < end; ++t) {
      block.run(t / blocks / p.heads, t / blocks % p.heads, t % blocks * kQueries);
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Problem p = problem_of(call);
  if (p.batches * p.heads * p.queries == 0) return;
  p.query.dtype == DType::F64 ? attend<double>(p) : attend<float>(p);
}

}  // namespace ersatz::op_flash_attention
