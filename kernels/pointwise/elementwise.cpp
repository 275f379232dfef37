#include "kernels/pointwise/elementwise.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/pointwise/copy_engine.h"
#include "kernels/pointwise/device_rows.h"
#include "kernels/pointwise/loop_plan.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/layout.h"

namespace ersatz::pointwise {

DType common_dtype(const RuleContext& context, std::span<const Value> args, std::span<const uint8_t> operands) {
  // Fast path: if all operands are tensors of one dtype, this is the common dtype.
  const Value& first = args[operands[0]];
  if (first.is_tensor()) {
    DType dtype = first.tensor_impl()->meta.dtype;
    bool same = true;
    for (uint8_t i : operands.subspan(1)) same &= args[i].is_tensor() && args[i].tensor_impl()->meta.dtype == dtype;
    if (same) return dtype;
  }
  ResultType type(context.default_dtype);
  for (uint8_t i : operands) type.add(args[i]);
  return type.result();
}

void answer_elementwise(RuleCall& call, std::span<const uint8_t> operands, DType result,
                        std::optional<DType> convert_to, Numbers numbers) {
  const TensorMeta* metas[kMaxEngineOperands];
  size_t count = 0;
  for (uint8_t i : operands) {
    if (call.is_tensor(i)) metas[count++] = &call.meta(i);
  }
  OutputSpec& spec = call.out.outputs.emplace_back();
  spec.meta.dtype = result;
  spec.meta.device = call.device;
  const bool beside_number = numbers == Numbers::Operands && count < operands.size();
  if (count > 0) iterator_layout(call, {metas, count}, convert_to, spec.meta, beside_number);
}

namespace {

std::byte* data_of(const TensorImpl& t) { return t.storage->data() + t.meta.offset.as_int() * item_size(t.meta.dtype); }

void store_number(const Scalar& s, DType dtype, std::byte* to) {
  auto put = [&](auto v) { std::memcpy(to, &v, sizeof(v)); };
  switch (dtype) {
    case DType::Bool:
      return put(s.to_bool());
    case DType::U8:
      return put(static_cast<uint8_t>(s.to_int()));
    case DType::I8:
      return put(static_cast<int8_t>(s.to_int()));
    case DType::I16:
      return put(static_cast<int16_t>(s.to_int()));
    case DType::I32:
      return put(static_cast<int32_t>(s.to_int()));
    case DType::I64:
      return put(s.to_int());
    case DType::F64:
      return put(s.to_double());
    case DType::C64:
      return put(std::complex<float>(s.to_complex()));
    case DType::C128:
      return put(s.to_complex());
    default:
      return put(static_cast<float>(s.to_double()));
  }
}

/// Converts a number operand to the limited dtype of the tensor, and back to the compute dtype. For example, 300
/// becomes NaN for f8e4m3fnuz, and 65536 becomes 0 for u16.
void convert_number(std::byte* number, DType computed, DType limited) {
  alignas(16) std::byte narrow[16];
  copy_strided({}, narrow, limited, {}, number, computed, {});
  copy_strided({}, number, computed, {}, narrow, limited, {});
}

bool is_lazy(const TensorMeta& t) { return t.conj || t.neg; }

Tensor resolved(const TensorImpl& t) {
  TensorMeta plain(t.meta.dtype, t.meta.sizes, t.meta.device);
  Tensor copy = make_real_tensor(std::move(plain));
  copy_elements(copy, Tensor(Ref<TensorImpl>(const_cast<TensorImpl*>(&t))));
  return copy;
}

/// Appends the operand's strides for each dim of the result; 0 if the operand is broadcast along the dim.
void broadcast_strides(const TensorMeta& t, std::span<const int64_t> sizes, InlineVec<int64_t, 6>& strides) {
  size_t missing = sizes.size() - t.sizes.size();
  for (size_t d = 0; d < sizes.size(); ++d) {
    bool stretched = d < missing || (t.sizes[d - missing].as_int() == 1 && sizes[d] != 1);
    strides.push_back(stretched ? 0 : t.strides[d - missing].as_int());
  }
}

}  // namespace

namespace {

/// An operand of an elementwise loop, for the CPU and for CUDA. If the operand has lazy bits, `tensor` is a resolved
/// copy. `strides` are for the dims of the result.
struct RowOperand {
  const TensorImpl* tensor = nullptr;  ///< null if the operand is a number
  DType compute = DType::F32;
  DType stored = DType::F32;
  std::span<const int64_t> strides;
  alignas(16) std::byte number[16];
};

class RowOperands {
 public:
  RowOperands(const KernelCall& call, std::span<const uint8_t> positions, std::span<const DType> compute,
              std::span<const int64_t> sizes) {
    for (size_t k = 0; k < positions.size(); ++k) {
      const Value& v = call.args[positions[k]];
      RowOperand& o = operands_[k];
      o.compute = compute_dtype(compute[k]);
      if (!v.is_tensor()) {
        o.stored = o.compute;
        store_number(v.as_scalar(), o.stored, o.number);
        if (kLimitedDTypes.has(compute[k]) && !is_packed(compute[k])) convert_number(o.number, o.stored, compute[k]);
        continue;
      }
      const TensorImpl* t = v.tensor_impl();
      if (is_lazy(t->meta)) t = kept_.emplace_back(resolved(*t)).impl();
      o.tensor = t;
      o.stored = t->meta.dtype;
      if (std::ranges::equal(as_ints(t->meta.sizes), sizes)) {
        o.strides = as_ints(t->meta.strides);
      } else if (t->meta.dim() > 0) {
        broadcast_strides(t->meta, sizes, strides_[k]);
        o.strides = strides_[k];
      }
    }
  }
  RowOperand& operator[](size_t k) { return operands_[k]; }

 private:
  RowOperand operands_[kMaxEngineOperands];
  InlineVec<int64_t, 6> strides_[kMaxEngineOperands];
  InlineVec<Tensor, 2> kept_;  // resolved copies of inputs with lazy bits
};

void run_row_cpu(Row row, const Tensor& out, RowOperands& inputs, size_t count, DType row_dtype,
                 const RowParams& params) {
  const RowKernel kernel = find_row(row, row_dtype);
  ERSATZ_ASSERT(kernel, "row {} has no loop for {}", static_cast<int>(row), name(row_dtype));
  EngineOperand ops[kMaxEngineOperands];
  // The loop computes in compute_dtype(out.dtype()). The engine converts the result if out has another dtype, e.g. f16.
  ops[0] = {data_of(*out.impl()), out.dtype(), compute_dtype(out.dtype()), as_ints(out.strides())};
  for (size_t k = 0; k < count; ++k) {
    RowOperand& o = inputs[k];
    ops[k + 1] = {o.tensor ? data_of(*o.tensor) : o.number, o.stored, o.compute, o.strides};
  }
  run_engine(kernel, as_ints(out.sizes()), {ops, count + 1}, params);
}

/// Returns `stored`. Raises NoKernelForDType for limited dtypes, which device loops cannot read or write.
DType device_dtype(DType stored) {
  if (kLimitedDTypes.has(stored)) throw NoKernelForDType{stored};
  return stored;
}

/// Computes `row` on CUDA. A CPU tensor among the operands is 0-d (DeviceRule::CpuScalarOk) and is passed as a number.
void run_row_cuda(Row row, const Tensor& out, RowOperands& inputs, size_t count, DType row_dtype,
                  const RowParams& params) {
  const DeviceRow kernel = device_rows().rows[static_cast<int>(row)][static_cast<int>(row_dtype)];
  ERSATZ_ASSERT(kernel, "row {} has no CUDA loop for {}", static_cast<int>(row), name(row_dtype));
  DeviceOperand ops[kMaxEngineOperands];
  ops[0] = {data_of(*out.impl()), device_dtype(out.dtype()), as_ints(out.strides())};
  for (size_t k = 0; k < count; ++k) {
    const RowOperand& o = inputs[k];
    DeviceOperand& to = ops[k + 1];
    if (o.tensor && o.tensor->meta.device.is_cuda()) {
      to = {data_of(*o.tensor), device_dtype(o.stored), o.strides};
      continue;
    }
    to.dtype = row_dtype;
    std::byte* number = to.number;
    if (o.tensor) {
      copy_strided({}, number, row_dtype, {}, data_of(*o.tensor), o.stored, {});
    } else {
      copy_strided({}, number, row_dtype, {}, o.number, o.stored, {});
    }
  }
  kernel(out.device().index, as_ints(out.sizes()), {ops, count + 1}, params);
}

/// Whether the result of `row` depends on which of two numbers is larger. If it does, the loop for i64 cannot compute
/// u64 numbers.
bool orders(Row row) {
  switch (row) {
    case Row::maximum:
    case Row::minimum:
    case Row::fmax:
    case Row::fmin:
    case Row::clamp:
    case Row::clamp_min:
    case Row::clamp_max:
    case Row::clamp_tensors:
    case Row::relu:
    case Row::relu6:
    case Row::signbit:
      return true;
    default:
      return false;
  }
}

/// Flipping the highest bit of u64 numbers gives i64 numbers in the same order.
constexpr int64_t kHighestBit = std::numeric_limits<int64_t>::min();

void turn_highest_bit(const KernelCall& call, Tensor t) {
  const Value args[] = {Value(t), Value(Scalar(kHighestBit))};
  constexpr uint8_t both[] = {0, 1};
  KernelCall turning{call.op, args, {&t, 1}, call.context};
  run_row(turning, Row::bitwise_xor, both, DType::I64);
}

/// Computes a `row` that compares u64 operands. No loop is compiled for u64, so the operands are mapped to i64 in the
/// same order.
void run_row_of_u64(KernelCall& call, Row row, std::span<const uint8_t> operands, RowParams params) {
  if (row == Row::signbit) return run_row(call, row, operands, DType::F64);
  if (row == Row::relu) row = Row::clamp_min;
  if (row == Row::relu6) {
    row = Row::clamp;
    params.integer[1] = 6;
  }
  for (int64_t& limit : params.integer) limit ^= kHighestBit;
  const auto in_order = [&](const Tensor& t) {
    const Tensor bits = make_real_tensor(TensorMeta(DType::I64, t.sizes(), t.device()));
    copy_elements(bits, t);
    turn_highest_bit(call, bits);
    return bits;
  };
  std::vector<Value> args(call.args.begin(), call.args.end());
  for (const uint8_t i : operands)
    args[i] = args[i].is_tensor() ? Value(in_order(args[i].tensor()))
                                  : Value(Scalar(args[i].as_scalar().to_int() ^ kHighestBit));
  const Tensor& out = call.outputs[0];
  Tensor result = make_real_tensor(TensorMeta(DType::I64, out.sizes(), out.device()));
  KernelCall ordered{call.op, args, {&result, 1}, call.context};
  run_row(ordered, row, operands, DType::I64, params);
  turn_highest_bit(call, result);
  copy_elements(out, result);
}

}  // namespace

void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, std::span<const DType> compute,
             DType row_dtype, const RowParams& params) {
  if (row_dtype == DType::U64 && orders(row)) [[unlikely]]
    return run_row_of_u64(call, row, operands, params);
  const Tensor& out = call.outputs[0];
  RowOperands inputs(call, operands, compute, as_ints(out.sizes()));
  // The loops cannot write lazy bits. If `out` has some, they write to a plain tensor, which is copied to `out`.
  Tensor plain;
  if (is_lazy(out.meta())) plain = make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  const auto run = out.device().is_cuda() ? run_row_cuda : run_row_cpu;
  run(row, plain ? plain : out, inputs, operands.size(), compute_dtype(row_dtype), params);
  if (plain) copy_elements(out, plain);
}

void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, DType compute, const RowParams& params) {
  const DType all[kMaxEngineOperands] = {compute, compute, compute, compute, compute};
  run_row(call, row, operands, {all, operands.size()}, compute, params);
}

void refuse_zero_divisor(const KernelCall& call, Position divisor) {
  const Value& v = call.args[divisor];
  if (call.outputs[0].numel().as_int() == 0) return;  // an empty output divides nothing
  bool zero = false;
  if (!v.is_tensor()) {
    zero = v.as_scalar().to_int() == 0;
  } else if (v.tensor_impl()->meta.device.is_cuda()) {
    const TensorMeta& t = v.tensor_impl()->meta;
    if (t.numel().as_int() == 0) return;
    const DeviceOperand operand{data_of(*v.tensor_impl()), t.dtype, as_ints(t.strides)};
    if (!checks_at_once()) return device_rows().note_zero(t.device.index, as_ints(t.sizes), operand);
    zero = device_rows().has_zero(t.device.index, as_ints(t.sizes), operand);
  } else {
    const TensorMeta& t = v.tensor_impl()->meta;
    const LoopOperand operand{data_of(*v.tensor_impl()), item_size(t.dtype), as_ints(t.strides)};
    LoopPlan plan(as_ints(t.sizes), {&operand, 1});
    if (plan.numel == 0) return;
    plan.set_blocks(1 << 16);
    struct Context {
      const LoopPlan& plan;
      int64_t item;
      std::atomic<bool> zero;
    } context{plan, operand.item, false};
    auto body = [](void* c, std::byte* const* data, int64_t n0, int64_t n1) {
      Context& x = *static_cast<Context*>(c);
      constexpr uint64_t nothing = 0;
      for (int64_t j = 0; j < n1; ++j) {
        const std::byte* at = data[0] + j * x.plan.dims[1].stride[0];
        for (int64_t i = 0; i < n0; ++i, at += x.plan.dims[0].stride[0]) {
          if (std::memcmp(at, &nothing, x.item) == 0) x.zero = true;
        }
      }
    };
    for_each_block(plan, {&operand, 1}, body, &context);
    zero = context.zero;
  }
  if (zero) fail_on_value(call, ErrorFamily::Runtime, kZeroDivisorWords);
}

void set_param(RowParams& params, int i, const Scalar& s) {
  if (s.is_integral()) {
    params.integer[i] = s.to_int();
    params.re[i] = static_cast<double>(params.integer[i]);
  } else {
    std::complex<double> v = s.to_complex();
    params.re[i] = v.real();
    params.im[i] = v.imag();
    params.integer[i] = static_cast<int64_t>(v.real());
  }
}

}  // namespace ersatz::pointwise
