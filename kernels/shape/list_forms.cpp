#include "kernels/shape/list_forms.h"

#include "kernels/creation/arange.h"
#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_list_forms {
namespace {

void flatten(CompositeCall& call) {
  std::vector<Tensor> rows;
  for (const Value& v : call.list(kFlatten["tensors"])) rows.push_back(ops::reshape(v.tensor(), DimVec{-1}));
  call.returns(ops::cat(rows));
}

void unflatten(CompositeCall& call) {
  const Tensor flat = call.tensor(kUnflatten["flat"]);
  std::vector<Value> pieces;
  SymInt at = 0;
  for (const Value& v : call.list(kUnflatten["tensors"])) {
    const Tensor like = v.tensor();
    if (size_eq(like.numel(), 0)) {
      pieces.push_back(ops::empty(DimVec{SymInt(0)}, {.dtype = flat.dtype(), .device = flat.device()}));
      continue;
    }
    const Tensor piece = call_op<"aten.narrow.default">(flat, int64_t(0), at, like.numel());
    pieces.push_back(call_op<"aten.view.default">(piece, like.sizes()));
    at += like.numel();
  }
  call.returns(Value::list(pieces));
}

void pad_sequence(CompositeCall& call) {
  const std::span<const Value> sequences = call.list(kPadSequence["sequences"]);
  call.require(!sequences.empty(), "C1", "expects a sequence at least");
  const std::string_view side = call[kPadSequence["padding_side"]].as_string();
  call.require(side == "left" || side == "right", "C2", "padding_side must be left or right: it is {}", side);
  SymInt longest = 0;
  for (const Value& v : sequences) {
    const TensorMeta& t = v.tensor_impl()->meta;
    call.require(t.dim() > 0, "C1", "a sequence must have a dim: it is {}", t);
    longest = sym_max(longest, t.sizes[0]);
  }
  const Tensor first = sequences[0].tensor();
  const bool batch_first = call.boolean(kPadSequence["batch_first"]);
  const SymInt n = static_cast<int64_t>(sequences.size());
  DimVec sizes{batch_first ? n : longest, batch_first ? longest : n};
  for (const SymInt size : first.sizes().subspan(1)) sizes.push_back(size);
  const Tensor out = ops::full(sizes, Scalar(call.real(kPadSequence["padding_value"])),
                               {.dtype = first.dtype(), .device = first.device()});
  for (size_t i = 0; i < sequences.size(); ++i) {
    const Tensor row = ops::select(out, batch_first ? 0 : 1, static_cast<int64_t>(i)), from = sequences[i].tensor();
    const SymInt length = from.sizes()[0], start = side == "right" ? SymInt(0) : longest - length;
    ops::copy_(ops::slice(row, 0, start, start + length), from);
  }
  call.returns(out);
}

void to_cpu(CompositeCall& call) {
  std::vector<Value> moved;
  for (const Value& v : call.list(kToCpu["tensors"])) moved.push_back(ops::to(v.tensor(), kCPU));
  call.returns(Value::list(moved));
}

void dim_arange(CompositeCall& call) {
  const Tensor like = call.tensor(kDimArange["like"]);
  call.returns(
      ops::arange(Scalar(like.size(call.integer(kDimArange["dim"]))), {.dtype = DType::I64, .device = like.device()}));
}

template <DType dtype>
void cast(CompositeCall& call) {
  call.returns(ops::to(call.tensor(kCast["self"]), dtype));
}

bool enabled(const CompositeCall& call) {
  return call.boolean(call.meta(kAutocasts["self"]).device.is_cuda() ? kAutocasts["cuda_enabled"]
                                                                     : kAutocasts["cpu_enabled"]);
}
void full_precision(CompositeCall& call) {
  const Tensor self = call.tensor(kFullPrecision["self"]);
  call.returns(enabled(call) && is_reduced_float(self.dtype()) ? ops::to(self, DType::F32) : self);
}
void reduced_precision(CompositeCall& call) {
  const Tensor self = call.tensor(kReducedPrecision["self"]);
  const DType dtype =
      call[self.device().is_cuda() ? kReducedPrecision["cuda_dtype"] : kReducedPrecision["cpu_dtype"]].as_dtype();
  call.returns(enabled(call) && self.dtype() == DType::F32 ? ops::to(self, dtype) : self);
}

void fill_diagonal(CompositeCall& call) {
  const Tensor self = call.tensor(kFillDiagonal["self"]);
  const Scalar& value = call.scalar(kFillDiagonal["fill_value"]);
  call.require(self.dim() >= 2, "C1", "there must be two dims at least: self is {}", self.meta());
  const SymInt rows = self.sizes()[0], columns = self.sizes()[1];
  SymInt n = rows, step = 0;
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    call.require(self.dim() == 2 || check_eq(self.sizes()[d], rows), "C1", "all sizes must be equal: self is {}",
                 self.meta());
    n = sym_min(n, self.sizes()[d]);
    step += self.strides()[d];
  }
  const auto fill = [&](const SymInt& count, const SymInt& offset) {
    ops::fill_(call_op<"aten.as_strided.default">(self, DimVec{count}, DimVec{step}, Value(offset)), value);
  };
  fill(n, self.storage_offset());
  if (self.dim() == 2 && call.boolean(kFillDiagonal["wrap"]) && size_gt(rows, columns + 1) && size_gt(columns, 0)) {
    for (SymInt from = columns + 1; size_lt(from, rows); from += columns + 1)
      fill(sym_min(rows - from, columns), self.storage_offset() + from * self.strides()[0]);
  }
  call.returns(call[kFillDiagonal["self"]]);
}

template <OpName op>
void truth(CompositeCall& call) {
  const TensorMeta& self = call.meta(kTruth["self"]);
  call.require(self.dtype == DType::Bool, "C1", "expects bools: self is {}", self);
  call.returns(call_op<op>(call.tensor(kTruth["self"])));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kFlatten).with_composite(flatten).sample("[f32[2,3]{1,2}, f32[4]]");
  r.add(kUnflatten).with_composite(unflatten).sample("f32[10], [f32[2,3]{1,2}, f32[4], f32[0]]");
  r.add(kPadSequence)
      .with_composite(pad_sequence)
      .sample("[f32[2,3], f32[4,3]]")
      .sample("[i64[2], i64[3]], True, 1.0, \"left\"")
      .refuses("C1", "[]")
      .refuses("C2", "[f32[2]], False, 0.0, \"top\"");
  r.add(kToCpu).with_composite(to_cpu).sample("[f32[2,3], i64[2]]");
  r.add(kDimArange).with_composite(dim_arange).sample("f32[2,3], 1");
  const auto add_cast = [&](const char* name, CompositeBody body) {
    r.add(kCast.with(name)).with_composite(body).sample("f32[2,3]{1,2}", 0, 2);
  };
  add_cast("Byte", cast<DType::U8>);
  add_cast("Char", cast<DType::I8>);
  add_cast("Double", cast<DType::F64>);
  add_cast("Float", cast<DType::F32>);
  add_cast("Half", cast<DType::F16>);
  add_cast("Int", cast<DType::I32>);
  add_cast("Long", cast<DType::I64>);
  add_cast("Short", cast<DType::I16>);
  r.add(kFullPrecision).with_composite(full_precision).sample("f16[2,3], True, True");
  r.add(kReducedPrecision).with_composite(reduced_precision).sample("f32[2,3], True, True, f16, bf16");
  r.add(kFillDiagonal)
      .with_composite(fill_diagonal)
      .sample("f32[7,3], 2.0, True")
      .sample("f32[3,3,3], 1")
      .refuses("C1", "f32[3], 1")
      .refuses("C1", "f32[2,3,2], 1");
  r.add(kTruth.with("_is_all_true"))
      .with_composite(truth<"aten.all.default">)
      .sample("bool[2,3]")
      .refuses("C1", "f32[2]");
  r.add(kTruth.with("_is_any_true"))
      .with_composite(truth<"aten.any.default">)
      .sample("bool[2,3]")
      .refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_list_forms
