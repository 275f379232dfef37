// How the `out=` forms of pooling take their arguments. ATen's kernels do not look whether these lie in the memory of
// the input, and those for volumes not whether elements of theirs are one. What a call leaves behind is the result for
// the input as it was, of elements that are one the last in row-major order. Included by rules only.
#pragma once

#include "kernels/reduction/mean.h"
#include "kernels/shape/as_strided.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

inline constexpr WrittenForm kPooledForm{.may_overlap = true};

/// Of images: the kernels copy to an argument that is not dense, and a copy wants elements with memory of their own.
inline constexpr WrittenForm kPooledImageForm{.may_overlap = true, .own_elements = true};

/// The `out=` form of an adaptive average: that of `functional`, whose name ATen begins with an underscore.
inline OpEntry& add_average_out(Registry& r, const Schema& schema, const OpEntry& functional, WrittenForm form) {
  OpEntry& out =
      r.add(schema, functional.source).with_rule(derived_out_rule).every_device(derived_kernel).dtypes(kFloats);
  out.functional = &functional;
  out.out_arguments = 1;
  out.form = form;
  return out;
}

/// The body of an adaptive average over `spatial` dims, of which `functional` is the kernel: a single window is the
/// mean, of any rank and dtype that has one, in the input's format.
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
