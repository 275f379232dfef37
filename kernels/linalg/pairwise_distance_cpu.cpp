#include <cmath>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/pairwise_distance.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pairwise_distance {

Kernel run_cdist_cpu, run_cdist_backward_cpu, run_pdist_cpu, run_pdist_backward_cpu;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr DTypeSet kTaken{DType::F32, DType::F64};

template <class T>
double distance(const T* x, const T* y, int64_t m, double p) {
  using C = Compute_t<T>;
  double sum = 0;
  for (int64_t i = 0; i < m; ++i) {
    const double d = std::abs(static_cast<double>(C(x[i])) - static_cast<double>(C(y[i])));
    if (p == 0) {
      sum += d != 0;
    } else if (p == 1) {
      sum += d;
    } else if (p == 2) {
      sum += d * d;
    } else if (p == kInf) {
      if (!(d <= sum)) sum = d;
    } else {
      sum += std::pow(d, p);
    }
  }
  return p == 0 || p == 1 || p == kInf ? sum : p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / p);
}

/// The slope of a distance along one difference, times `grad`.
double slope(double diff, double grad, double distance, double p) {
  const double sign = diff > 0 ? 1 : diff < 0 ? -1 : 0, size = std::abs(diff);
  if (p == 0 || distance == 0) return p == 1 ? sign * grad : 0;
  if (p == 1) return sign * grad;
  if (p == 2) return grad * diff / distance;
  if (p == kInf) return sign * grad * (size == distance);
  if (p < 1 && diff == 0) return 0;
  return sign * std::pow(size, p - 1) * grad / std::pow(distance, p - 1);
}

/// Both operands with the batch that they have together: x1 as [matrices, rows, m], x2 as [matrices, others, m].
struct Matrices {
  Tensor x1, x2;
  int64_t rows, others, m, count;

  Matrices(const Tensor& a, const Tensor& b, std::span<const SymInt> batch) {
    const auto expanded = [&](const Tensor& t) {
      DimVec sizes = leading_sizes(batch, 0);
      sizes.push_back(t.sizes()[static_cast<size_t>(t.dim() - 2)]);
      sizes.push_back(t.sizes().back());
      return dense_input(broadcast_view(t, sizes));
    };
    x1 = expanded(a), x2 = expanded(b);
    const auto size = [](const Tensor& t, int64_t from_end) {
      return t.sizes()[static_cast<size_t>(t.dim() - from_end)].as_int();
    };
    rows = size(x1, 2), others = size(x2, 2), m = size(x1, 1), count = 1;
    for (const SymInt n : batch) count *= n.as_int();
  }
};

/// The first element of each of the first `n` rows, row-major. REQUIRES: there are so many; or n = 0.
Tensor first_of_rows(const Tensor& t, int64_t n) {
  TensorMeta meta = t.meta();
  meta.sizes = DimVec{SymInt(n)};
  meta.strides = DimVec{t.strides()[0]};
  return dense_input(make_view(t, std::move(meta)));
}

}  // namespace

void run_cdist_cpu(KernelCall& call) {
  const double p = call.real(kCdistForward["p"]);
  DenseOutput out(call.outputs[0]);
  if (out.tensor.numel().as_int() == 0) return;
  const Matrices of(call.tensor(kCdistForward["x1"]), call.tensor(kCdistForward["x2"]),
                    leading_sizes(out.tensor.sizes(), 2));
  dispatch_dtype<kFloats>(out.tensor.dtype(), [&]<class T>() {
    const T *x1 = reinterpret_cast<const T*>(of.x1.raw_data()), *x2 = reinterpret_cast<const T*>(of.x2.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for (int64_t i = 0; i < of.count * of.rows; ++i) {
      for (int64_t j = 0; j < of.others; ++j) {
        const T* other = x2 + (i / of.rows * of.others + j) * of.m;
        y[i * of.others + j] = T(static_cast<Compute_t<T>>(of.m == 0 ? 0 : distance(x1 + i * of.m, other, of.m, p)));
      }
    }
  });
  out.finish();
}

void run_cdist_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kCdistBackward;
  const double p = call.real(k["p"]);
  DenseOutput out(call.outputs[0]);
  const Tensor grads = dense_input(call.tensor(k["grad_output"])), distances = dense_input(call.tensor(k["cdist"]));
  const int64_t bytes = out.tensor.numel().as_int() * item_size(out.tensor.dtype());
  if (bytes > 0) std::memset(out.tensor.raw_data(), 0, static_cast<size_t>(bytes));
  // Without distances, and for p = 0, the gradient is zero, and the other arguments may be anything.
  const bool any = p != 0 && call.tensor(k["x2"]).numel().as_int() > 0 && distances.numel().as_int() > 0;
  if (any && out.tensor.numel().as_int() > 0 && kTaken.has(out.tensor.dtype())) {
    const Matrices of(call.tensor(k["x1"]), call.tensor(k["x2"]), leading_sizes(out.tensor.sizes(), 2));
    dispatch_dtype<kTaken>(out.tensor.dtype(), [&]<class T>() {
      const T *x1 = of.x1.data<T>(), *x2 = of.x2.data<T>(), *g = grads.data<T>(), *d = distances.data<T>();
      T* y = out.tensor.data<T>();
      for (int64_t i = 0; i < of.count * of.rows; ++i) {
        for (int64_t c = 0; c < of.m; ++c) {
          double sum = 0;
          for (int64_t j = 0; j < of.others; ++j) {
            const T other = x2[(i / of.rows * of.others + j) * of.m + c];
            sum += slope(static_cast<double>(x1[i * of.m + c]) - static_cast<double>(other),
                         static_cast<double>(g[i * of.others + j]), static_cast<double>(d[i * of.others + j]), p);
          }
          y[i * of.m + c] = static_cast<T>(sum);
        }
      }
    });
  }
  out.finish();
}

void run_pdist_cpu(KernelCall& call) {
  const double p = call.real(kPdistForward["p"]);
  const Tensor self = call.tensor(kPdistForward["self"]);
  DenseOutput out(call.outputs[0]);
  if (out.tensor.numel().as_int() == 0) return;
  const int64_t n = self.sizes()[0].as_int(), m = self.sizes()[1].as_int();
  if (m == 0) {
    std::memset(out.tensor.raw_data(), 0, static_cast<size_t>(out.tensor.numel().as_int() * item_size(self.dtype())));
  } else {
    dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
      T* y = out.tensor.data<T>();
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = i + 1; j < n; ++j)
          *y++ = static_cast<T>(distance(self.data<T>() + i * m, self.data<T>() + j * m, m, p));
      }
    });
  }
  out.finish();
}

void run_pdist_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kPdistBackward;
  const double p = call.real(k["p"]);
  const Tensor self = call.tensor(k["self"]), distances = call.tensor(k["pdist"]);
  DenseOutput out(call.outputs[0]);
  const int64_t bytes = out.tensor.numel().as_int() * item_size(out.tensor.dtype());
  if (bytes > 0) std::memset(out.tensor.raw_data(), 0, static_cast<size_t>(bytes));
  if (p == 0 || bytes == 0) return out.finish();
  const int64_t n = self.sizes()[0].as_int(), m = self.sizes()[1].as_int();
  const Tensor grads = first_of_rows(call.tensor(k["grad_output"]), n * (n - 1) / 2);
  dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
    std::vector<double> sums(static_cast<size_t>(n * m));
    const T* x = self.data<T>();
    int64_t pair = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = i + 1; j < n; ++j, ++pair) {
        for (int64_t c = 0; c < m; ++c) {
          const double s =
              slope(static_cast<double>(x[i * m + c]) - static_cast<double>(x[j * m + c]),
                    static_cast<double>(grads.data<T>()[pair]), static_cast<double>(distances.data<T>()[pair]), p);
          sums[static_cast<size_t>(i * m + c)] += s;
          sums[static_cast<size_t>(j * m + c)] -= s;
        }
      }
    }
    for (int64_t i = 0; i < n * m; ++i) out.tensor.data<T>()[i] = static_cast<T>(sums[static_cast<size_t>(i)]);
  });
  out.finish();
}

}  // namespace ersatz::op_pairwise_distance
