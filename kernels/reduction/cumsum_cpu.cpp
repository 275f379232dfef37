#include <complex>

#include "kernels/dense_operand.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"
#include "runtime/parallel.h"

namespace ersatz::op_cumsum {
namespace {

/// Halves run in f32, f32 in f64: rounded once per element. Integers wrap around.
template <class T>
struct Running {
  using type = uint64_t;
};
template <>
struct Running<half> {
  using type = float;
};
template <>
struct Running<bfloat16> {
  using type = float;
};
template <>
struct Running<float> {
  using type = double;
};
template <>
struct Running<double> {
  using type = double;
};
template <>
struct Running<std::complex<float>> {
  using type = std::complex<double>;
};
template <>
struct Running<std::complex<double>> {
  using type = std::complex<double>;
};

template <class T, bool Product>
void run_along(int64_t outer, int64_t n, int64_t inner, const T* in, T* out) {
  using R = typename Running<T>::type;
  parallel_for(outer * inner, std::max<int64_t>(1, (1 << 14) / (n + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o) {
      const int64_t at = o / inner * n * inner + o % inner;
      R total(Product ? 1 : 0);
      for (int64_t i = 0; i < n; ++i) {
        if constexpr (Product) {
          total *= R(in[at + i * inner]);
        } else {
          total += R(in[at + i * inner]);
        }
        out[at + i * inner] = T(total);
      }
    }
  });
}

template <bool Product>
void run(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  DenseOutput out(call.outputs[0]);
  Tensor in = call.tensor(0);
  if (in.dtype() != out.tensor.dtype()) {
    in = make_real_tensor(TensorMeta(out.tensor.dtype(), in.sizes()));
    copy_elements(in, call.tensor(0));
  }
  in = dense_input(in);
  const int64_t rank = in.dim(),
                dim = call.integer(1) < 0 ? call.integer(1) + std::max<int64_t>(rank, 1) : call.integer(1);
  if (rank == 0) {
    copy_elements(out.tensor, in);
    out.finish();
    return;
  }
  int64_t outer = 1, n = 1, inner = 1;
  for (int64_t d = 0; d < rank; ++d) (d < dim ? outer : d == dim ? n : inner) *= in.sizes()[size_t(d)].as_int();
  dispatch_dtype<kNumbers>(in.dtype(), [&]<class T>() {
    run_along<T, Product>(outer, n, inner, reinterpret_cast<const T*>(in.raw_data()),
                          reinterpret_cast<T*>(out.tensor.raw_data()));
  });
  out.finish();
}

}  // namespace

void run_cumsum_cpu(KernelCall& call) { run<false>(call); }
void run_cumprod_cpu(KernelCall& call) { run<true>(call); }

}  // namespace ersatz::op_cumsum
