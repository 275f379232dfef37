#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/arg_extrema.h"
#include "kernels/reduction/reduce_dims.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_arg_extrema {
namespace {

/// The sizes of a row-major tensor as [outer, n, inner]; n is the size of the reduced dim.
struct Extent {
  int64_t outer, n, inner;
};

template <class T, bool Largest>
void find(const Extent& e, const T* in, int64_t* out) {
  using C = Compute_t<T>;
  parallel_for(e.outer * e.inner, std::max<int64_t>(1, (1 << 14) / (e.n + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o) {
      const T* x = in + o / e.inner * e.n * e.inner + o % e.inner;
      C best = C(x[0]);
      int64_t at = 0;
      for (int64_t i = 1; i < e.n && best == best; ++i) {
        const C v = C(x[i * e.inner]);
        if ((Largest ? v > best : v < best) || v != v) {
          best = v;
          at = i;
        }
      }
      out[o] = at;
    }
  });
}

template <bool Largest>
void run(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor in = dense_input(call.tensor(kEach["self"]));
  DenseOutput out(call.outputs[0]);
  Extent e{1, in.numel().as_int(), 1};
  const int64_t rank = in.dim();
  if (call.has(kEach["dim"]) && rank > 0) {
    const int64_t dim = call.integer(kEach["dim"]) < 0 ? call.integer(kEach["dim"]) + rank : call.integer(kEach["dim"]);
    e.n = 1;
    for (int64_t d = 0; d < rank; ++d) {
      (d < dim ? e.outer : d == dim ? e.n : e.inner) *= in.sizes()[size_t(d)].as_int();
    }
  }
  dispatch_dtype<kReals>(in.dtype(), [&]<class T>() {
    find<T, Largest>(e, reinterpret_cast<const T*>(in.raw_data()), out.tensor.template data<int64_t>());
  });
  out.finish();
}

}  // namespace

void run_argmax_cpu(KernelCall& call) { run<true>(call); }
void run_argmin_cpu(KernelCall& call) { run<false>(call); }

}  // namespace ersatz::op_arg_extrema
