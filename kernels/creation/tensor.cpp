#include "kernels/creation/tensor.h"

#include <cstring>

#include "kernels/shape/alias.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/copy.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::ops {
namespace {

[[noreturn]] void refuse(ErrorFamily family, std::string_view label, const std::string& why) {
  Error e(ErrorKind::InvalidArgument, family, fmt::format("tensor: {} [tensor.{}]", why, label));
  e.op = "tensor";
  e.label = fmt::format("tensor.{}", label);
  throw e;
}

/// Returns the sizes of the first list at each depth.
DimVec outer_sizes(const NestedNumbers& data) {
  DimVec sizes;
  for (const NestedNumbers* at = &data; at->is_list(); at = &at->items()[0]) {
    sizes.push_back(static_cast<int64_t>(at->items().size()));
    if (at->items().empty()) break;
  }
  return sizes;
}

/// Appends the numbers in row-major order. Raises an error if a list's size is not that of its depth.
void flatten(const NestedNumbers& data, std::span<const SymInt> sizes, std::vector<Scalar>& numbers) {
  if (data.is_list() != !sizes.empty()) {
    refuse(ErrorFamily::Value, "C1",
           sizes.empty() ? "a list stands where others have a number" : "a number stands where others have a list");
  }
  if (!data.is_list()) return numbers.push_back(data.number());
  if (static_cast<int64_t>(data.items().size()) != sizes[0].as_int()) {
    refuse(ErrorFamily::Value, "C1",
           fmt::format("expected a list of length {}, got {}", sizes[0], data.items().size()));
  }
  for (const NestedNumbers& item : data.items()) flatten(item, sizes.subspan(1), numbers);
}

DType dtype_of_kinds(std::span<const Scalar> numbers) {
  const DType by_default = rule_context().default_dtype;
  if (numbers.empty()) return by_default;
  Scalar::Kind kind = Scalar::Kind::Bool;
  for (const Scalar& s : numbers) kind = std::max(kind, s.kind());
  switch (kind) {
    case Scalar::Kind::Bool:
      return DType::Bool;
    case Scalar::Kind::Int:
      return DType::I64;
    case Scalar::Kind::Float:
      return by_default;
    case Scalar::Kind::Complex:
      return complex_of_parts(by_default);
  }
  return by_default;
}

Tensor enter(const Tensor& literal, std::optional<Device> asked) {
  const Tensor entered = lift_fresh(literal);
  const Device device = resolve(asked.value_or(rule_context().default_device));
  if (device == entered.device()) return entered;
  ToOptions to;
  to.device = device;
  return to_copy(entered, to);
}

}  // namespace

Tensor tensor(const NestedNumbers& data, const FactoryOptions& options) {
  const DimVec sizes = outer_sizes(data);
  std::vector<Scalar> numbers;
  flatten(data, sizes, numbers);
  const DType dtype = options.dtype.value_or(dtype_of_kinds(numbers));
  const Tensor literal = make_real_tensor(TensorMeta(dtype, sizes));
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!scalar_fits(numbers[i], dtype)) {
      refuse(ErrorFamily::Runtime, "C2",
             fmt::format("{} is no number of dtype {}", to_string(Value(numbers[i])), name(dtype)));
    }
    TensorMeta element(dtype, {});
    element.offset = static_cast<int64_t>(i);
    fill_elements(make_view(literal, std::move(element)), numbers[i]);
  }
  return enter(literal, options.device);
}

Tensor tensor(const void* data, DType from, std::span<const SymInt> sizes, const FactoryOptions& options) {
  for (SymInt s : sizes) {
    if (size_lt(s, 0)) refuse(ErrorFamily::Runtime, "C3", fmt::format("sizes must not be negative: got {}", s));
  }
  const Tensor literal = make_real_tensor(TensorMeta(from, sizes));
  const size_t bytes = static_cast<size_t>(storage_bytes_needed(literal.meta()).as_int());
  if (bytes > 0) std::memcpy(literal.raw_data(), data, bytes);
  if (!options.dtype || *options.dtype == from) return enter(literal, options.device);
  const Tensor converted = make_real_tensor(TensorMeta(*options.dtype, sizes));
  if (bytes > 0) copy_elements(converted, literal);
  return enter(converted, options.device);
}

Tensor new_tensor(const Tensor& self, const NestedNumbers& data, const FactoryOptions& options) {
  return tensor(data, {options.dtype.value_or(self.dtype()), options.device.value_or(self.device())});
}

}  // namespace ersatz::ops
