#include "kernels/norm/norm_backward.h"

#include "kernels/creation/empty.h"
#include "kernels/norm/norm_rule.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/mean.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/as_strided.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_norm_backward {
namespace {

// positions of arguments whose names differ between the two schemas in kBatches
constexpr Position kSavedDeviation{6}, kTrain{7};

/// Runs the rule of the normalisation `forward`. If the input is empty, runs the rule for the meta device, which
/// accepts any dtype.
void check_forward(const RuleCall& call, const OpEntry& forward, std::initializer_list<Value> arguments) {
  RuleResult result;
  const Device device = size_ne(call.meta(kEach["input"]).numel(), 0) ? call.device : kMeta;
  RuleCall inner{forward, std::span<const Value>(arguments.begin(), arguments.size()), call.context, device, result};
  forward.rule(inner);
}

/// Adds a gradient to the call, or None if `asked` is false.
void answer(RuleCall& call, bool asked, DType dtype, std::span<const SymInt> sizes,
            MemoryFormat format = MemoryFormat::Contiguous) {
  if (!asked) return call.out.none();
  TensorMeta meta(dtype, sizes, call.device);
  meta.strides = strides_for(sizes, format);
  call.out.fresh(std::move(meta));
}
bool asked(std::span<const Value> mask, size_t i) { return mask[i].as_bool(); }
/// reads_mean is true if a gradient that `mask` selects is computed from the mean. reads_deviation is true if one is
/// computed from 1 / deviation.
bool reads_mean(std::span<const Value> mask, bool train) { return asked(mask, 1) || (train && asked(mask, 0)); }
bool reads_deviation(std::span<const Value> mask) { return asked(mask, 0) || asked(mask, 1); }

/// Raises [op.C1] for wrong dtypes in a gradient of layer norm or group norm.
void check_dtypes(const RuleCall& call, Position mean, Position rstd) {
  const TensorMeta &grad = call.meta(kEach["grad_out"]), &in = call.meta(kEach["input"]);
  const DType saved = call.meta(mean).dtype;
  const bool mixed = is_reduced_float(in.dtype) && saved == DType::F32;
  call.require(grad.dtype == in.dtype && call.meta(rstd).dtype == saved && (saved == in.dtype || mixed), "C1",
               "grad_out must have the dtype of input, mean and rstd that or f32: input is {}, the others are {}, {} "
               "and {}",
               in, grad, call.meta(mean), call.meta(rstd));
}

void layer_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kLayer["input"]);
  const auto shape = call.ints(kLayer["normalized_shape"]);
  const Position weight = kLayer["weight"], bias = kLayer["bias"];
  check_forward(call, op_entry<"aten.native_layer_norm.default">(),
                {call[kLayer["input"]].borrowed(), call[kLayer["normalized_shape"]].borrowed(), call[weight].borrowed(),
                 call[bias].borrowed(), Value(0.0)});
  SymInt rows = 1;
  for (size_t d = 0; d + shape.size() < in.sizes.size(); ++d) rows = rows * in.sizes[d];
  check_dtypes(call, kLayer["mean"], kLayer["rstd"]);
  const auto mask = call.list(kLayer["output_mask"]);
  if (!size_eq(in.numel(), 0)) {
    const TensorMeta& grad = call.meta(kLayer["grad_out"]);
    call.require(check_ge(grad.numel(), in.numel()), "C2", "grad_out must have the {} elements of input: it is {}",
                 in.numel(), grad);
    for (Position p : {kLayer["mean"], kLayer["rstd"]}) {
      call.require(!reads_deviation(mask) || check_ge(call.meta(p).numel(), rows), "C3",
                   "{} must have {} elements: it is {}", call.op.schema.arguments[p].name, rows, call.meta(p));
    }
  }
  for (size_t i : {1, 2}) {
    call.require(!asked(mask, i) || call.has(i == 1 ? weight : bias), "C4",
                 "there is no gradient of a {} that is not given", i == 1 ? "weight" : "bias");
  }
  answer(call, asked(mask, 0), in.dtype, in.sizes);
  for (size_t i : {1, 2}) {
    const Position p = i == 1 ? weight : bias;
    answer(call, asked(mask, i), call.has(p) ? call.meta(p).dtype : in.dtype, shape);
  }
}

void group_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kGroup["input"]);
  const SymInt c = call.sym(kGroup["C"]);
  if (size_ne(in.numel(), 0)) {
    check_forward(
        call, op_entry<"aten.native_group_norm.default">(),
        {call[kGroup["input"]].borrowed(), call[kGroup["weight"]].borrowed(), Value(), call[kGroup["N"]].borrowed(),
         call[kGroup["C"]].borrowed(), call[kGroup["HxW"]].borrowed(), call[kGroup["group"]].borrowed(), Value(0.0)});
  } else {
    call.require(size_eq(call.sym(kGroup["N"]) * c * call.sym(kGroup["HxW"]), 0), "C5",
                 "input has no elements, N * C * HxW must be 0: input is {}, C is {}", in, c);
  }
  check_dtypes(call, kGroup["mean"], kGroup["rstd"]);
  const SymInt groups = call.sym(kGroup["N"]) * call.sym(kGroup["group"]);
  if (!size_eq(in.numel(), 0) && !size_eq(groups, 0)) {
    const TensorMeta& grad = call.meta(kGroup["grad_out"]);
    call.require(check_eq(grad.numel(), in.numel()), "C2",
                 "grad_out must have as many elements as input: they are {} and {}", grad, in);
    for (Position p : {kGroup["mean"], kGroup["rstd"]}) {
      call.require(check_eq(call.meta(p).numel(), groups), "C3", "{} must have {} elements: it is {}",
                   call.op.schema.arguments[p].name, groups, call.meta(p));
    }
  }
  const DType parameter = call.has(kGroup["weight"]) ? call.meta(kGroup["weight"]).dtype : in.dtype;
  const auto mask = call.list(kGroup["output_mask"]);
  answer(call, asked(mask, 0), in.dtype, in.sizes,
         call.device.is_cuda() ? MemoryFormat::Contiguous : suggest_memory_format(in));
  for (size_t i : {1, 2}) answer(call, asked(mask, i), parameter, std::span(&c, 1));
}

/// How ATen's CPU loops for dense memory read their arguments. The loops run if input and gradient have one memory
/// format.
struct DenseReads {
  bool gradient = false;  ///< true: the gradient is read in memory order, so its sizes are not checked
  /// true: statistics and weight are read in memory order too, so their ranks are not checked (channels-last images)
  bool parameters = false;

  DenseReads(const TensorMeta& grad, const TensorMeta& in) {
    gradient = in.device.is_cpu() && is_dense(in) && is_dense(grad) &&
               suggest_memory_format(in) == suggest_memory_format(grad);
    parameters = gradient && !is_reduced_float(in.dtype) &&
                 (!is_contiguous(in) || size_eq(in.numel(), in.sizes[0] * in.sizes[1]));
  }
};

void batch_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kBatches["grad_out"]), &in = call.meta(kBatches["input"]);
  call.require_index(in.dim() > 1, "C1", "input must have a dim of channels, it is {}", in);
  call.require_dtype(in.dtype, kFloats);
  const SymInt c = in.sizes[1];
  const bool train = call.boolean(kTrain);
  const auto mask = call.list(kBatches["output_mask"]);
  const DenseReads dense(grad, in);
  const Position mean = train ? kBatches["save_mean"] : kBatches["running_mean"],
                 deviation = train ? kSavedDeviation : kBatches["running_var"];
  for (Position p : {kBatches["weight"], kBatches["running_mean"], kBatches["running_var"], kBatches["save_mean"],
                     kSavedDeviation}) {
    if (!call.has(p)) continue;
    const TensorMeta& t = call.meta(p);
    const bool mixed = is_reduced_float(in.dtype) && t.dtype == DType::F32;
    call.require(t.dtype == in.dtype || mixed, "C1",
                 "{} must have the dtype of input, or f32 beside an f16 or bf16: "
                 "they are {} and {}",
                 call.op.schema.arguments[p].name, t, in);
    const bool read = (p == kBatches["weight"] && asked(mask, 0)) || (p == mean && reads_mean(mask, train)) ||
                      (p == deviation && reads_deviation(mask));
    call.require((t.dim() == 1 || dense.parameters) && (!read || check_ge(t.numel(), c)), "C1",
                 "{} must be 1-d with {} elements, it is {}", call.op.schema.arguments[p].name, c, t);
  }
  call.require(call.has(mean) && call.has(deviation), "C1", "{} and {} must be given",
               call.op.schema.arguments[mean].name, call.op.schema.arguments[deviation].name);
  call.require(grad.dtype == in.dtype, "C1", "grad_out must have the dtype of input: they are {} and {}", grad, in);
  const bool fits = grad.dim() == in.dim() && check_eq(grad.sizes, in.sizes);
  call.require(fits || (dense.gradient && check_ge(grad.numel(), in.numel())), "C2",
               "grad_out must have the sizes of input: they are {} and {}", grad, in);
  const DType parameter = call.has(kBatches["weight"]) ? call.meta(kBatches["weight"]).dtype : in.dtype;
  MemoryFormat format = dense.gradient ? output_format(in) : suggest_memory_format(in);
  if (call.device.is_cuda() && !train) format = MemoryFormat::Contiguous;
  answer(call, asked(mask, 0), in.dtype, in.sizes, format);
  for (size_t i : {1, 2}) answer(call, asked(mask, i), parameter, std::span(&c, 1));
}

/// The operands of the gradients of x' * weight + bias, where x' = (x - mean) * rstd. All operands broadcast against x.
struct Normalised {
  Tensor grad, x, mean, rstd, weight;  ///< an undefined weight counts as 1
  DimVec normalised;                   ///< the dims over which mean and rstd are computed
  DimVec shared;                       ///< the dims along which weight and bias broadcast
  bool of_batch = true;                ///< true: mean and rstd were computed from x. false: they are running statistics

  Tensor standard() const { return ops::mul(ops::sub(x, mean), rstd); }
  Tensor of_input() const {
    const Tensor g = weight ? ops::mul(grad, weight) : grad;
    if (!of_batch) return ops::mul(g, rstd);
    const Tensor s = standard(), along = ops::mean(ops::mul(g, s), normalised, true);
    return ops::mul(ops::sub(ops::sub(g, ops::mean(g, normalised, true)), ops::mul(s, along)), rstd);
  }
  Tensor of_weight() const { return ops::sum(ops::mul(grad, standard()), shared); }
  Tensor of_bias() const { return ops::sum(grad, shared); }
};

void fill_asked(KernelCall& call, std::span<const Value> mask, const Normalised& n) {
  for (size_t i = 0; i < 3; ++i) {
    if (!asked(mask, i)) continue;
    Tensor& out = call.outputs[i];
    if (n.x.numel().as_int() == 0) {
      ops::fill_(out, 0);
      continue;
    }
    const Tensor gradient = i == 0 ? n.of_input() : i == 1 ? n.of_weight() : n.of_bias();
    ops::copy_(out, ops::reshape(gradient, out.sizes()));
  }
}

/// Returns the first elements of `t` as a tensor with the sizes `sizes`, in f64 if `t` is f64, else in f32. An
/// undefined `t` is returned unchanged.
Tensor wide(const Tensor& t, std::initializer_list<SymInt> sizes) {
  if (!t) return t;
  SymInt n = 1;
  for (SymInt s : sizes) n *= s;
  Tensor first = t;
  if (!size_eq(t.numel(), n)) first = ops::narrow(ops::reshape(t, DimVec{t.numel()}), 0, 0, n);
  return ops::reshape(ops::to(first, t.dtype() == DType::F64 ? DType::F64 : DType::F32),
                      std::span<const SymInt>(sizes.begin(), sizes.size()));
}

void run_layer(KernelCall& call) {
  SymInt n = 1;
  for (int64_t s : call.ints(kLayer["normalized_shape"])) n = n * s;
  const Tensor in = call.tensor(kLayer["input"]);
  const SymInt rows = in.numel().as_int() == 0 ? SymInt(0) : floor_div(in.numel(), n);
  if (rows.as_int() == 0) return fill_asked(call, call.args[kLayer["output_mask"]].as_list(), {.x = in});
  const std::span<const Value> mask = call.args[kLayer["output_mask"]].as_list();
  const auto statistics = [&](Position p) {
    return reads_deviation(mask) ? wide(call.tensor(p), {rows, 1}) : Tensor();
  };
  fill_asked(
      call, mask,
      {wide(call.tensor(kLayer["grad_out"]), {rows, n}), wide(in, {rows, n}), statistics(kLayer["mean"]),
       statistics(kLayer["rstd"]), call.has(kLayer["weight"]) ? wide(call.tensor(kLayer["weight"]), {1, n}) : Tensor(),
       DimVec{SymInt(1)}, DimVec{SymInt(0)}});
}

void run_group(KernelCall& call) {
  const SymInt n = call.integer(kGroup["N"]), c = call.integer(kGroup["C"]), points = call.integer(kGroup["HxW"]),
               g = call.integer(kGroup["group"]), each = floor_div(c, g);
  const Tensor in = call.tensor(kGroup["input"]);
  if (in.numel().as_int() == 0 || n.as_int() == 0) {
    return fill_asked(call, call.args[kGroup["output_mask"]].as_list(), {.x = ops::empty(DimVec{SymInt(0)})});
  }
  fill_asked(call, call.args[kGroup["output_mask"]].as_list(),
             {wide(call.tensor(kGroup["grad_out"]), {n, g, each, points}), wide(in, {n, g, each, points}),
              wide(call.tensor(kGroup["mean"]), {n, g, 1, 1}), wide(call.tensor(kGroup["rstd"]), {n, g, 1, 1}),
              call.has(kGroup["weight"]) ? wide(call.tensor(kGroup["weight"]), {1, g, each, 1}) : Tensor(),
              DimVec{SymInt(2), SymInt(3)}, DimVec{SymInt(0), SymInt(3)}});
}

void run_batch(KernelCall& call) {
  const Tensor in = call.tensor(kBatches["input"]);
  if (in.numel().as_int() == 0) return fill_asked(call, call.args[kBatches["output_mask"]].as_list(), {.x = in});
  const SymInt n = in.sizes()[0], c = in.sizes()[1], points = floor_div(in.numel(), n * c);
  const bool train = call.boolean(kTrain);
  const std::span<const Value> mask = call.args[kBatches["output_mask"]].as_list();
  const auto channels = [&](Position p, bool read) { return read ? wide(call.tensor(p), {1, c, 1}) : Tensor(); };
  const Tensor mean = channels(train ? kBatches["save_mean"] : kBatches["running_mean"], reads_mean(mask, train));
  Tensor rstd = channels(train ? kSavedDeviation : kBatches["running_var"], reads_deviation(mask));
  if (!train && rstd) rstd = ops::rsqrt(ops::add(rstd, Scalar(call.real(kBatches["eps"]))));
  Tensor grad = call.tensor(kBatches["grad_out"]);
  if (DenseReads(grad.meta(), in.meta()).gradient)
    grad = ops::as_strided(grad, in.sizes(), strides_for(in.sizes(), output_format(in.meta())), grad.meta().offset);
  fill_asked(call, mask,
             {wide(grad, {n, c, points}), wide(in, {n, c, points}), mean, rstd,
              channels(kBatches["weight"], call.has(kBatches["weight"]) && asked(mask, 0)),
              DimVec{SymInt(0), SymInt(2)}, DimVec{SymInt(0), SymInt(2)}, train});
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& layer =
      r.add(kLayer)
          .tag(Tag::Core)
          .with_rule(layer_rule)
          .every_device(run_layer)
          .dtypes(kFloats)
          .sample("f32[2,3,5], f32[2,3,5], [5], f32[2,3,1], f32[2,3,1], f32[5], f32[5], [True, True, True]")
          .sample("f64[2,3], f64[2,3]{1,2}, [3], f64[2,1], f64[2,1], f64[3], f64[3], [True, True, True]")
          .refuses("C1", "f64[2,3], f32[2,3], [3], f32[2,1], f32[2,1], None, None, [True, False, False]")
          .refuses("C2", "f32[2,2], f32[2,3], [3], f32[2,1], f32[2,1], None, None, [True, False, False]")
          .refuses("C3", "f32[2,3], f32[2,3], [3], f32[1,1], f32[2,1], None, None, [True, False, False]")
          .refuses("C4", "f32[2,3], f32[2,3], [3], f32[2,1], f32[2,1], None, None, [True, True, False]");
  r.add_out(layer, "out", kGeneratedForm);
  OpEntry& group =
      r.add(kGroup)
          .tag(Tag::Core)
          .with_rule(group_rule)
          .every_device(run_group)
          .dtypes(kFloats)
          .sample("f32[2,6,5,3], f32[2,6,5,3], f32[2,2], f32[2,2], f32[6], 2, 6, 15, 2, [True, True, True]")
          .sample("f64[2,6,3], f64[2,6,3], f64[2,3], f64[2,3], None, 2, 6, 3, 3, [True, True, True]")
          .refuses("C1", "f64[2,6,3], f32[2,6,3], f32[2,3], f32[2,3], None, 2, 6, 3, 3, [True, False, True]")
          .refuses("C5", "f32[2,0,3], f32[2,0,3], f32[2,3], f32[2,3], None, 2, 6, 3, 3, [True, False, True]");
  r.add_out(group, "out", kGeneratedForm);
  OpEntry& batch =
      r.add(kBatch)
          .with_rule(batch_rule)
          .every_device(run_batch)
          .dtypes(kFloats)
          .sample("f32[2,3,5], f32[2,3,5], f32[3], f32[3], f32[3], f32[3], f32[3], True, 1e-05, [True, True, True]",
                  0.5, 2)
          .sample("f32[2,3], f32[2,3], None, f32[3], f32[3], None, None, False, 1e-05, [True, True, True]", 0.5, 2)
          .refuses("C1", "f32[2,3], f32[2,3], f32[2], f32[3], f32[3], None, None, False, 1e-05, [True, False, True]")
          .refuses("C2", "f32[2,2], f32[2,3], None, f32[3], f32[3], None, None, False, 1e-05, [True, False, True]");
  r.add_out(batch, "out", kGeneratedForm);
  r.add(kReserved)
      .with_rule(batch_rule)
      .every_device(run_batch)
      .dtypes(kFloats)
      .sample("f32[2,3,5], f32[2,3,5], f32[3], f32[3], f32[3], f32[3], f32[3], True, 1e-05, [True, True, True], u8[0]",
              0.5, 2);
}

}  // namespace ersatz::op_norm_backward
