#include "kernels/pointwise/copy_engine.h"
#include "kernels/pointwise/loop_plan.h"
#include "runtime/allocator.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/layout.h"
#include "runtime/meta_text.h"

namespace ersatz::pointwise {

namespace {

/// A lazy bit that only one side carries: applied to `to` where it lies.
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
            if constexpr (is_complex(dtype_of<T>)) {
              if (x.conjugate) v = std::conj(v);
            }
            if (x.negate) v = T(-v);
          }
        }
      },
      &context);
}

void copy_elements_kernel(const Tensor& to, const Tensor& from) {
  if (to.device().is_cpu() && from.device().is_cpu()) return copy_tensor(to, from);
  bool same_bytes = to.dtype() == from.dtype() && to.meta().conj == from.meta().conj &&
                    to.meta().neg == from.meta().neg && sym_eq(to.strides(), from.strides()) &&
                    is_non_overlapping_and_dense(to.sizes(), to.strides());
  if (!same_bytes) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "copy: between devices only equal dtypes and dense strides are copied: {} from {}", to.meta(), from.meta());
  }
  copy_bytes(to.raw_data(), to.device(), from.raw_data(), from.device(), to.numel().as_int() * item_size(to.dtype()));
}

}  // namespace

void copy_tensor(const Tensor& to, const Tensor& from) {
  copy_strided(as_ints(to.sizes()), to.raw_data(), to.dtype(), as_ints(to.strides()), from.raw_data(), from.dtype(),
               as_ints(from.strides()));
  // Converting to a real dtype reads the real part, which the conjugate bit does not touch.
  bool conjugate = to.meta().conj != (from.meta().conj && is_complex(to.dtype()));
  bool negate = to.meta().neg != from.meta().neg;
  // The negative of a bool is the bool itself.
  if ((!conjugate && !negate) || to.dtype() == DType::Bool) return;
  dispatch_dtype<kNumbers>(to.dtype(), [&]<class T>() { flip_signs<T>(to, conjugate, negate); });
}

void install_copy_kernel() { install_copy_elements(copy_elements_kernel); }

}  // namespace ersatz::pointwise
