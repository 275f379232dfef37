// `out=` forms of reductions, which differ from those of other ops: what is written may share memory, with itself and
// with the input, and some take other dtypes than the functional op answers.
//
// The derived variant (runtime/op/derived.h) does the rest.
#pragma once

#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/derived.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// Which dtypes an `out=` argument of a reduction may have.
enum class ReductionCast : uint8_t {
  None,      ///< that of the result
  Any,       ///< what the result can be cast to
  SameKind,  ///< what the result can be cast to, but complex only for complex inputs (NotSupported)
  Floating,  ///< any float or complex one
  Truth      ///< bool and u8, for truth values
};

/// Answers the `out=` arguments for the functional op's results, as they are or resized, row-major.
/// `Apart`: the elements of each have memory of their own.
template <ReductionCast Cast, bool Apart = false>
void reduction_out_rule(RuleCall& call) {
  const size_t inputs = call.op.functional->schema.arguments.size();
  RuleResult result;
  call.ask_functional(result);
  for (size_t k = 0; k < result.outputs.size(); ++k) {
    const TensorMeta& answer = result.outputs[k].meta;
    TensorImpl* out = call.tensor(inputs + k);
    const DType from = answer.dtype, to = out->meta.dtype;
    if constexpr (Cast == ReductionCast::None) {
      call.require(from == to, "out_dtype", "the out argument must have dtype {}, it is {}", name(from), out->meta);
    } else if constexpr (Cast == ReductionCast::Truth) {
      call.require(to == DType::Bool || to == DType::U8, "out_dtype", "the out argument must be bool or u8, it is {}",
                   out->meta);
    } else if constexpr (Cast == ReductionCast::Floating) {
      call.require(!is_integral(to), "result_type", "a result of dtype {} cannot be written to {}", name(from),
                   out->meta);
    } else {
      call.require(can_cast(from, to), "result_type", "a result of dtype {} cannot be written to {}", name(from),
                   out->meta);
      if constexpr (Cast == ReductionCast::SameKind) {
        if (is_complex(to) && !is_complex(call.meta(kReduced["self"]).dtype) &&
            guard_ne(call.meta(kReduced["self"]).numel(), 0)) {
          call.require_dtype(to, kFloats);
        }
      }
    }
    call.require(out->meta.device == answer.device, "device", "the out argument must be on {}, it is {}",
                 to_string(answer.device), out->meta);
    if constexpr (Apart) {
      call.require(out->meta.is_symbolic() || internal_overlap(out->meta) != Overlap::Yes, "overlap",
                   "more than one element of the written-to tensor {} refers to a single memory location", out->meta);
    }
    if (sym_eq(answer.sizes, out->meta.sizes)) {
      call.out.same(out);
    } else {
      TensorMeta resized = out->meta;
      resized.sizes = answer.sizes;
      resized.strides = contiguous_strides(answer.sizes);
      call.out.same(out, std::move(resized));
    }
  }
}

}  // namespace ersatz
