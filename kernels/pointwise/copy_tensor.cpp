#include "kernels/pointwise/copy_engine.h"
#include "kernels/pointwise/device_rows.h"
#include "kernels/pointwise/loop_plan.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::pointwise {

namespace {

template <class T>
T negated(const T& v) {
  if constexpr (std::is_same_v<T, complex_half>) {
    return T(-std::complex<float>(v));
  } else {
    return T(-v);
  }
}

/// Conjugates or negates `to` in place, for a copy in which only the source or only `to` has a lazy bit.
template <class T>
void flip_signs(const Tensor& to, bool conjugate, bool negate) {
  const auto sizes = as_ints(to.sizes()), strides = as_ints(to.strides());
  LoopOperand operand{to.raw_data(), item_size(to.dtype()), strides};
  LoopPlan plan(sizes, {&operand, 1});
  plan.set_blocks(1 << 16);
  struct Context {
    const LoopPlan& plan;
    bool conjugate, negate;
  } context{plan, conjugate, negate};
  for_each_block(
      plan, {&operand, 1},
      [](void* c, std::byte* const* data, int64_t n0, int64_t n1) {
        const Context& x = *static_cast<const Context*>(c);
        for (int64_t j = 0; j < n1; ++j) {
          for (int64_t i = 0; i < n0; ++i) {
            T& v = *reinterpret_cast<T*>(data[0] + i * x.plan.dims[0].stride[0] + j * x.plan.dims[1].stride[0]);
            if constexpr (std::is_same_v<T, complex_half>) {
              if (x.conjugate) v = T(std::conj(std::complex<float>(v)));
            } else if constexpr (is_complex(dtype_of<T>)) {
              if (x.conjugate) v = std::conj(v);
            }
            if (x.negate) v = negated(v);
          }
        }
      },
      &context);
}

struct SignFlips {
  bool conjugate, negate;
  bool any() const { return conjugate || negate; }
};

/// Returns the lazy bits that only one of the two tensors has. For a real `to` only the real part is read, which the
/// conjugate bit does not change. For a bool `to` no bit matters, because -x equals x.
SignFlips sign_flips(const TensorMeta& to, const TensorMeta& from) {
  if (to.dtype == DType::Bool) return {false, false};
  return {to.conj != (from.conj && is_complex(to.dtype)), to.neg != from.neg};
}

DeviceOperand device_operand(const Tensor& t) { return {t.raw_data(), t.dtype(), as_ints(t.strides())}; }

void copy_on_cuda(const Tensor& to, const Tensor& from) {
  if (to.raw_data() == from.raw_data() && to.dtype() == from.dtype() && sym_eq(to.strides(), from.strides()) &&
      !sign_flips(to.meta(), from.meta()).any()) {
    return;
  }
  const SignFlips flips = sign_flips(to.meta(), from.meta());
  device_rows().copy(to.device().index, as_ints(to.sizes()), device_operand(to), device_operand(from), flips.conjugate,
                     flips.negate);
}

/// Copies raw bytes from device to device. Before and after, each device converts, applies lazy bits and packs its
/// tensor.
void copy_between_devices(const Tensor& to, const Tensor& from) {
  const bool same_bytes = to.dtype() == from.dtype() && !sign_flips(to.meta(), from.meta()).any() &&
                          sym_eq(to.strides(), from.strides()) &&
                          is_non_overlapping_and_dense(to.sizes(), to.strides());
  if (same_bytes) {
    return copy_bytes(to.raw_data(), to.device(), from.raw_data(), from.device(),
                      to.numel().as_int() * item_size(to.dtype()));
  }
  // Uses the narrower of the two dtypes for the transfer.
  const DType dtype = item_size(to.dtype()) < item_size(from.dtype()) ? to.dtype() : from.dtype();
  const Tensor packed = make_real_tensor(TensorMeta(dtype, from.sizes(), from.device()));
  const Tensor arrived = make_real_tensor(TensorMeta(dtype, from.sizes(), to.device()));
  copy_elements(packed, from);
  copy_between_devices(arrived, packed);
  copy_elements(to, arrived);
}

void copy_elements_kernel(const Tensor& to, const Tensor& from) {
  if (to.numel().as_int() == 0) return;
  if (to.device() != from.device()) return copy_between_devices(to, from);
  to.device().is_cuda() ? copy_on_cuda(to, from) : copy_tensor(to, from);
}

}  // namespace

void copy_tensor(const Tensor& to, const Tensor& from) {
  copy_strided(as_ints(to.sizes()), to.raw_data(), to.dtype(), as_ints(to.strides()), from.raw_data(), from.dtype(),
               as_ints(from.strides()));
  const SignFlips flips = sign_flips(to.meta(), from.meta());
  if (!flips.any()) return;
  dispatch_dtype<kNumbers | kComplexHalf | kFloat8s>(
      to.dtype(), [&]<class T>() { flip_signs<T>(to, flips.conjugate, flips.negate); });
}

void install_copy_kernel() { install_copy_elements(copy_elements_kernel); }

}  // namespace ersatz::pointwise
