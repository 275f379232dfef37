#include "fake/crosscheck/wide_copies.h"

#include "runtime/op/copy.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

DType wide_dtype(DType t) { return is_complex(t) ? DType::C128 : is_float(t) ? DType::F64 : t; }

Tensor WideCopies::of(const Tensor& t) {
  const DType dtype = wide_dtype(t.dtype());
  Tensor& wide = storages_[{t.storage().get(), t.dtype()}];
  if (!wide) {
    const SymInt elements[] = {t.storage()->nbytes().as_int() / item_size(t.dtype())};
    wide = make_real_tensor(TensorMeta(dtype, elements));
    copy_elements(wide, make_view(t, TensorMeta(t.dtype(), elements)));
  }
  TensorMeta meta = t.meta();
  meta.dtype = dtype;
  return make_view(wide, std::move(meta));
}

std::vector<Value> WideCopies::of(std::span<const Value> values) {
  std::vector<Value> wide = map_tensors(values, [this](const Tensor& t) { return of(t); });
  for (Value& v : wide) {
    if (v.kind() == Value::Kind::DType) v = Value(wide_dtype(v.as_dtype()));
  }
  return wide;
}

}  // namespace ersatz
