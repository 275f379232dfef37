#include "fake/object/defake.h"

#include <algorithm>

#include "fake/mode/fake_mode.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/mode.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

SymInt number(SymInt v, const Tensor& fake) {
  if (v.is_int()) return v;
  std::optional<int64_t> value = value_at_hints(v);
  const std::optional<FakeMode> mode = mode_of(fake);
  if (!value && mode && mode->options().shape_env) value = mode->options().shape_env->real_value(v);
  if (value) return *value;
  Error e(ErrorKind::GuardOnDataDependent, ErrorFamily::Runtime,
          fmt::format("defake: {} has no hint: {}", v, fake.meta()));
  e.suggestion = fmt::format("give {} a hint", fmt::join(free_symbols(v), ", "));
  throw e;
}

}  // namespace

Tensor defake(const Tensor& t) {
  if (!t || !t.is_fake()) return t;
  TensorMeta meta = t.meta();
  for (SymInt& size : meta.sizes) size = number(size, t);
  for (SymInt& stride : meta.strides) stride = number(stride, t);
  meta.offset = number(meta.offset, t);
  const SuspendModes real;
  const SymInt bytes = std::max(number(t.storage()->nbytes(), t).as_int(), storage_bytes_needed(meta).as_int());
  Ref<Storage> storage = Storage::allocate(bytes.as_int(), meta.device);
  if (!bytes.is_identical(0)) fill_elements(Tensor(TensorMeta(DType::U8, DimVec{bytes}, meta.device), storage), 0);
  return Tensor(std::move(meta), std::move(storage));
}

}  // namespace ersatz
