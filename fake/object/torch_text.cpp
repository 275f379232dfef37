#include "fake/object/torch_text.h"

#include "fake/object/parameter.h"
#include "runtime/base/context.h"
#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

constexpr int64_t kMostElements = 1000;

std::string tuple_text(std::span<const SymInt> sizes) {
  std::string text = "(";
  for (size_t i = 0; i < sizes.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", sizes[i]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

/// Returns the text of element `i` of a CPU storage.
std::string element_text(const Tensor& t, int64_t i) {
  TensorMeta meta(t.dtype(), std::span<const SymInt>());
  meta.offset = i;
  const Tensor element = make_view(t, std::move(meta));
  switch (t.dtype()) {
    case DType::Bool:
      return to_string(Value(element.item_int() != 0));
    case DType::C64:
      return to_string(Value(std::complex<double>(*element.data<std::complex<float>>())));
    case DType::C128:
      return to_string(Value(*element.data<std::complex<double>>()));
    default:
      return is_integral(t.dtype()) ? to_string(Value(element.item_int())) : to_string(Value(element.item_double()));
  }
}

}  // namespace

std::string torch_text(const Tensor& fake) {
  if (!fake || !fake.is_fake()) fail_argument("torch_text: only fakes are spelled so, not {}", to_string(fake));
  const TensorMeta& m = fake.meta();
  std::string text = "FakeTensor(...";
  if (!m.device.is_cpu()) text += fmt::format(", device='{}'", to_string(m.device));
  text += ", size=" + tuple_text(m.sizes);
  if (m.dtype != rule_context().default_dtype) text += fmt::format(", dtype=torch.{}", long_name(m.dtype));
  if (m.requires_grad) text += ", requires_grad=True";
  text += ")";
  return is_parameter(fake) ? "Parameter(" + text + ")" : text;
}

std::string storage_text(const Tensor& t) {
  const Storage& storage = *t.storage();
  const SymInt elements = floor_div(storage.nbytes(), item_size(t.dtype()));
  std::string text;
  if (!storage.has_bytes()) {
    text = "...\n";
  } else if (!t.device().is_cpu()) {
    fail_argument("storage_text: {} cannot be read on the host: copy it to the cpu first", t.meta());
  } else {
    const int64_t shown = std::min(elements.as_int(), kMostElements);
    for (int64_t i = 0; i < shown; ++i) text += " " + element_text(t, i) + "\n";
    if (shown < elements.as_int()) text += fmt::format(" ... {} more\n", elements.as_int() - shown);
  }
  return text + fmt::format("[Storage(dtype={}, device={}) of size {}]", long_name(t.dtype()),
                            storage.has_bytes() ? to_string(storage.device()) : "meta", elements);
}

}  // namespace ersatz
