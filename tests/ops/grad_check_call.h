// One call of an operator with leaves as tensors, which grad_check.cpp runs forward and backward.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/layout.h"
#include "tests/ops/grad_check.h"

namespace ersatz::grad_check {

using Tensors = std::vector<Tensor>;

inline bool is_wide(DType t) { return t == DType::F64 || t == DType::C128; }

/// Raised if the call is refused before it has a gradient, because it does not support these dtypes or this layout.
struct Refused {
  std::string message;
};

/// A tensor with the metadata of `like` whose elements are f(element of like, element of other).
template <class F>
Tensor combined(const Tensor& like, const Tensor& other, F f) {
  const Tensor made = make_sample_tensor(like.meta());
  const auto run = [&]<class T>(T) {
    const std::span<const int64_t> sizes = as_ints(like.sizes()), to = as_ints(like.strides()),
                                   from = as_ints(other.strides());
    std::vector<int64_t> index(sizes.size(), 0);
    const int64_t n = like.numel().guard_int();
    const T *a = like.data<T>(), *b = other.data<T>();
    T* out = made.data<T>();
    for (int64_t i = 0, x = 0, y = 0; i < n; ++i) {
      out[x] = f(a[x], b[y]);
      for (size_t d = sizes.size(); d-- > 0;) {
        x += to[d], y += from[d];
        if (++index[d] < sizes[d]) break;
        x -= index[d] * to[d], y -= index[d] * from[d];
        index[d] = 0;
      }
    }
  };
  if (like.dtype() == DType::F64)
    run(double());
  else
    run(std::complex<double>());
  return made;
}
inline Tensor moved(const Tensor& x, const Tensor& d, double h) {
  return combined(x, d, [h](auto a, auto b) { return a + h * b; });
}
inline Tensor copied(const Tensor& t) {
  return combined(t, t, [](auto a, auto) { return a; });
}
Tensor random_like(const Tensor& t, uint64_t seed);
/// The tensor or direction with the structure that the case's matrices need.
Tensor prepared(const Tensor& t, Matrices how, bool is_direction);
/// Returns whether the message is of an error that PyTorch also raises, because it has no derivative formula.
bool has_no_formula(std::string_view message);

/// One call of an operator with tensors in one layout.
class Call {
 public:
  /// RAISES Refused if the forward call is refused.
  Call(const OpEntry& op, std::vector<Value> arguments, Matrices matrices);
  /// Indices of the tensors with gradients; empty if there is none.
  const std::vector<size_t>& leaves() const { return leaves_; }
  const Tensor& value(size_t place) const { return places_[place]; }
  /// Indices of the results with gradients.
  const std::vector<size_t>& graded() const { return graded_; }

  /// The results of the call with the tensors `at`. Tensors that the call writes are copied first.
  Tensors run(const Tensors& at) const;
  /// Returns all tensor arguments. Those to differentiate are new leaves that require gradients, also in `leaves`.
  Tensors with_leaves(Tensors* leaves) const;
  Tensors chosen(const Tensors& all) const {
    Tensors some;
    for (size_t i : graded_) some.push_back(all[i]);
    return some;
  }
  const Tensors& places() const { return places_; }

 private:
  void drop_impossible();

  const OpEntry& op_;
  std::vector<Value> arguments_;
  Tensors places_;              // every tensor of the call, in order
  std::vector<size_t> leaves_;  // indices in `places_`
  std::vector<size_t> graded_;  // indices of results
};

}  // namespace ersatz::grad_check
