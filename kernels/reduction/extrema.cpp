#include "kernels/reduction/extrema.h"

#include <limits>

#include "kernels/own_dtype.h"
#include "kernels/pointwise/integer_limits.h"
#include "kernels/reduction/reduce_dims.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_extrema {

Kernel run_amax_cpu, run_amin_cpu, run_max_cpu, run_min_cpu, run_aminmax_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kAmaxAmin["self"]);
  require_nonempty_in_turn(call, in, kAmaxAmin["dim"], "C2");
  const DimMask mask = reduced_dims(call, kAmaxAmin["dim"], in.dim(), "C1");
  if (mask == kAllDims) {
    call.require(check_ne(in.numel(), 0), "C2", "the largest or smallest of nothing is asked: input is {}", in);
  } else {
    require_nonempty(call, in, mask, "C2");
  }
  const TensorMeta& out =
      call.out.fresh(reduced_meta(in, mask, call.boolean(kAmaxAmin["keepdim"]), in.dtype, call.device));
  if (is_complex(in.dtype) && !call.device.is_meta() && size_ne(out.numel(), 0)) [[unlikely]] {
    call.require_dtype(in.dtype, kReals | kBool);
  }
}

/// Like PyTorch, checks the dtype of `out` before dims, sizes and the dtype of the input.
void out_rule(RuleCall& call) {
  require_own_dtype(call, kAmax.out(), call.meta(kAmaxAmin["self"]).dtype);
  derived_out_rule(call);
  require_dims_after_resize(call, kAmax["dim"]);
}

void add(Registry& r, Schema functional, FillKernel kernel) {
  OpEntry& op = r.add(functional)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(kernel)
                    .dtypes(kReals | kBool)
                    .sample("f32[2,3,4], [1]")
                    .sample("i8[2,3,4]{1,8,2}, [0, -1], True")
                    .sample("bool[5]")
                    .refuses("C1", "f32[2,3], [0, 0]")
                    .refuses("C2", "f32[2,0], [1]");
  r.add_out(op, "out", reduction_form()).with_rule(out_rule);
}

void whole_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kExtrema["self"]);
  call.require(check_ne(in.numel(), 0), "C1", "the largest or smallest of nothing is asked: input is {}", in);
  if (!call.device.is_meta()) call.require_dtype(in.dtype, kReals | kBool);
  call.out.fresh(reduced_meta(in, kAllDims, false, in.dtype, call.device));
}

/// Returns the number with which PyTorch's CPU kernels start: for a maximum the smallest number of the dtype. The out=
/// forms return this number for an empty input.
template <bool largest>
Scalar start_of(DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (is_float(dtype)) return largest ? -kInf : kInf;
  const auto [low, high] = dtype == DType::Bool ? std::pair<int64_t, int64_t>(0, 1) : integer_limits(dtype);
  return largest ? low : high;
}

/// Rule of max.unary_out and min.unary_out. On the CPU both accept an empty input and write start_of to `out`. Checks
/// C2: the dtype of `out` can hold this number; f16 and bf16 accept any number.
template <bool largest>
void whole_out_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kExtrema["self"]);
  const Position out{call.args.size() - 1};
  call.require(can_cast(in.dtype, call.meta(out).dtype), "result_type", "a result of dtype {} cannot be written to {}",
               name(in.dtype), call.meta(out));
  if (!call.device.is_cpu() || size_ne(in.numel(), 0)) return derived_out_rule(call);
  call.require_dtype(in.dtype, kReals | kBool);
  require_fill_number(call, start_of<largest>(in.dtype), TensorMeta(call.meta(out).dtype, {}, call.device), "C2");
  answer_out(call, reduced_meta(in, kAllDims, false, in.dtype, call.device), out, call.op.form);
}

template <bool largest>
void run_whole_out_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kExtrema["self"]);
  if (self.numel().as_int() > 0) return derived_kernel(call);
  fill_elements(call.outputs[0], start_of<largest>(self.dtype()));
}

template <bool largest>
void add_whole(Registry& r, const std::string& name, FillKernel kernel) {
  OpEntry& op = r.add(kExtrema.with(name))
                    .with_rule(whole_rule)
                    .cpu(kernel)
                    .dtypes(kReals | kBool)
                    .sample("f32[2,3]")
                    .sample("bool[5]")
                    .refuses("C1", "f32[0]");
  r.add_out(op, "unary_out", reduction_form(WrittenCast::Any))
      .with_rule(whole_out_rule<largest>)
      .cpu(run_whole_out_cpu<largest>)
      .sample("i8[2,0], out=i64[]")
      .refuses("C2", "i16[0], out=i8[]")
      .refuses("result_type", "f32[2], out=i64[]");
}

// Arguments: (self, dim, keepdim).
void aminmax_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kAminmax["self"]);
  if (is_complex(in.dtype)) call.refuse(ErrorFamily::Type, "C3", "complex numbers have no order: input is {}", in);
  DimMask mask = kAllDims;
  if (call.has(kAminmax["dim"])) {
    mask = reduced_dim(call, kAminmax["dim"], in.dim());
    require_nonempty(call, in, mask, "C2");
  } else {
    call.require(check_ne(in.numel(), 0), "C2", "the largest and smallest of nothing are asked: input is {}", in);
  }
  if (kLimitedDTypes.has(in.dtype) && !call.device.is_meta()) [[unlikely]]
    call.require_dtype(in.dtype, call.has(kAminmax["dim"]) && in.dim() == 0 ? kLimitedDTypes : kReals | kBool);
  const TensorMeta& least =
      call.out.fresh(reduced_meta(in, mask, call.boolean(kAminmax["keepdim"]), in.dtype, call.device));
  const TensorMeta most = least;
  call.out.fresh(most);
}

void aminmax_out_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kAminmax["self"]);
  for (const Position out : {kAminmax.out(), kAminmax.out(1)}) {
    if (!is_complex(in.dtype)) require_own_dtype(call, out, in.dtype);
  }
  const TensorMeta &least = call.meta(kAminmax.out()), &most = call.meta(kAminmax.out(1));
  if (is_complex(in.dtype)) return derived_out_rule(call);  // derived_out_rule refuses the dtype
  const bool same_storage = call.tensor(kAminmax.out())->storage == call.tensor(kAminmax.out(1))->storage;
  if (same_storage) {
    const bool one = call.tensor(kAminmax.out()) == call.tensor(kAminmax.out(1));
    const SharedMemory shared = one ? SharedMemory::Full : shared_memory(least, most, true);
    if (shared == SharedMemory::Full || shared == SharedMemory::Partial) {
      call.refuse(ErrorFamily::Value, "C4", "min and max must not overlap: they are {}, {}", least, most);
    }
  }
  derived_out_rule(call);
}

}  // namespace

void register_ops(Registry& r) {
  add_whole<true>(r, "max", run_max_cpu);
  add_whole<false>(r, "min", run_min_cpu);
  OpEntry& both =
      r.add(kAminmax)
          .with_rule(aminmax_rule)
          .cpu(run_aminmax_cpu)
          .dtypes(kReals | kBool)
          .sample("f32[2,3,4]")
          .sample("i8[2,3,4]{1,8,2}, dim=1, keepdim=True")
          .refuses("rank",
                   "f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                   "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1], dim=64")
          .refuses("C2", "f32[2,0], dim=1")
          .refuses("C3", "c64[2]");
  r.add_out(both, "out", std::nullopt, {"min", "max"})
      .with_rule(aminmax_out_rule)
      .refuses("C4", "f32[2], min=f32[], max=f32[] ~in1");
  add(r, kAmax, run_amax_cpu);
  add(r, kAmin, run_amin_cpu);
}

}  // namespace ersatz::op_extrema
