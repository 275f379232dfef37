// The `out=` overloads of pooling. ATen's kernels do not check whether `out` overlaps the input. ATen's kernels for
// volumes do not check whether elements of `out` share memory. In ersatz, the result is computed from the input before
// the call. If elements share memory, the last one in row-major order is kept. Only files with rules include this
// header.
#pragma once

#include "kernels/reduction/mean.h"
#include "kernels/shape/as_strided.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

inline constexpr WrittenForm kPooledForm{.may_overlap = true};

/// Form for images: ATen copies the result to an `out` that is not dense, and the copy refuses elements that share
/// memory.
inline constexpr WrittenForm kPooledImageForm{.may_overlap = true, .own_elements = true};

/// Adds the `out=` overload of an adaptive average. It computes the result of the operator `functional`, whose name
/// begins with an underscore in ATen.
inline OpEntry& add_average_out(Registry& r, const Schema& schema, const OpEntry& functional, WrittenForm form) {
  OpEntry& out =
      r.add(schema, functional.source).with_rule(derived_out_rule).every_device(derived_kernel).dtypes(kFloats);
  out.functional = &functional;
  out.out_arguments = 1;
  out.form = form;
  return out;
}

/// Body of an adaptive average over `spatial` dims, which calls the operator `functional`. For an output of one point
/// it calls `mean` instead, which accepts more ranks and dtypes. The mean has the input's memory format.
inline void average_adaptively(CompositeCall& call, size_t spatial, const OpEntry& functional) {
  constexpr Schema kArgs{"aten::{}(Tensor self, SymInt[{}] output_size) -> Tensor"};
  const Tensor self = call.tensor(kArgs["self"]);
  const std::span<const SymInt> size = call.ints(kArgs["output_size"]);
  call.require(size.size() == spatial, "C1", "output_size must be {} sizes, it is {}", spatial == 2 ? "two" : "three",
               size);
  bool single = true;
  for (SymInt s : size) single = single && size_eq(s, 1);
  if (!single) return call.returns(call_op(functional, self, size));
  const SymInt last[] = {-1, -2, -3};
  Tensor out = ops::mean(self, std::span(last).first(spatial), true);
  if (suggest_memory_format(self.meta()) ==
      (spatial == 2 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d)) {
    out = ops::as_strided_(out, out.sizes(), channels_last_strides(out.sizes()));
  }
  call.returns(out);
}

}  // namespace ersatz
