#include "runtime/op/widened_call.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/op/copy.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/op_entry.h"

namespace ersatz {
namespace {

/// Truncates an integer argument `other` to the width of the unsigned dtype `t`, without a check: 65536 becomes 0 for
/// u16.
Value wrapped(const Value& v, const Argument& argument, DType t) {
  if (!kWideUnsigned.has(t) || item_size(t) == 8 || argument.name != "other" || !v.is_number()) return v;
  const Scalar number = v.as_scalar();
  if (number.kind() != Scalar::Kind::Int || number.is_symbolic()) return v;
  return Value(number.to_int() & ((int64_t{1} << (8 * item_size(t))) - 1));
}

/// The dtypes that a call with packed elements may have. On the CPU, packed elements are moved and compared as bytes.
/// No other kernel reads them.
constexpr DTypeSet kOfBytes = kFloat4s | DTypeSet{DType::Bool, DType::I64};

bool on_cuda(const KernelCall& call) {
  bool found = false;
  for_each_tensor(call.args, [&](const TensorImpl* t) { found |= t->meta.device.is_cuda(); });
  return found;
}

DType wider(DType t) { return kFloat8s.has(t) ? DType::F32 : t == DType::C32 ? DType::C64 : DType::I64; }

class WideTensors {
 public:
  Tensor of(const Tensor& t) {
    if (!t || !kLimitedDTypes.has(t.dtype())) return t;
    return is_packed(t.dtype()) ? bytes_of(t) : in_dtype(t, wider(t.dtype()));
  }
  /// Returns of(t) for a result. c32 inputs are widened to c64, so their f16 result (`abs`) must be computed in f32.
  Tensor of_result(const Tensor& t) {
    return t && t.dtype() == DType::F16 && has_complex_ ? in_dtype(t, DType::F32) : of(t);
  }
  bool has(const Tensor& t) const { return t && wide_.contains(t.impl()); }
  void convert_back(const Tensor& t) const { copy_elements(t, wide_.at(t.impl())); }

 private:
  /// Returns a u8 view of the tensor's memory.
  static Tensor bytes_of(const Tensor& t) {
    TensorMeta meta = t.meta();
    meta.dtype = DType::U8;
    return make_view(t, std::move(meta));
  }
  Tensor in_dtype(const Tensor& t, DType dtype) {
    has_complex_ |= t.dtype() == DType::C32;
    Tensor& wide = wide_[t.impl()];
    if (!wide) {
      wide = make_real_tensor(TensorMeta(dtype, t.sizes(), t.device()));
      copy_elements(wide, t);
      narrow_.push_back(t);
    }
    return wide;
  }

  bool has_complex_ = false;
  std::unordered_map<const TensorImpl*, Tensor> wide_;
  std::vector<Tensor> narrow_;  // owns the tensors whose addresses are the keys of `wide_`
};

}  // namespace

void run_widened(FillKernel kernel, const KernelCall& call, DType missing) {
  const auto raise_no_kernel = [&] {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}: no kernel computes in {}", call.op.base(),
         name(missing));
  };
  bool packed = false, of_bytes = true;
  const auto see = [&](DType t) {
    packed |= is_packed(t);
    of_bytes &= kOfBytes.has(t);
  };
  for_each_tensor(call.args, [&](const TensorImpl* t) { see(t->meta.dtype); });
  const bool moved = packed && !on_cuda(call);
  for (const Tensor& t : call.outputs) {
    if (t) see(t.dtype());
  }
  if (packed && !(moved && of_bytes)) raise_no_kernel();
  WideTensors wide;
  std::vector<Value> args;
  for (size_t i = 0; i < call.args.size(); ++i) {
    args.push_back(map_leaves(call.args[i], [&](const Value& leaf) {
      return leaf.is_tensor() ? Value(wide.of(leaf.tensor()))
                              : wrapped(leaf.borrowed(), call.op.schema.arguments[i], missing);
    }));
  }
  std::vector<Tensor> outputs;
  for (const Tensor& t : call.outputs) outputs.push_back(wide.of_result(t));
  KernelCall wide_call{call.op, args, outputs, call.context};
  try {
    kernel(wide_call);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) raise_no_kernel();  // the kernel is not compiled for the wider dtype either
    throw;
  }
  for (const Tensor& t : call.outputs) {
    if (wide.has(t)) wide.convert_back(t);
  }
  for (const uint16_t i : call.op.written) {
    for_each_tensor(call.args.subspan(i, 1), [&](TensorImpl* impl) {
      const Tensor t{Ref<TensorImpl>(impl)};
      if (wide.has(t)) wide.convert_back(t);
    });
  }
}

}  // namespace ersatz
