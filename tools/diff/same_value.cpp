#include "tools/diff/same_value.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ersatz::tools {

namespace {

bool same_double(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

bool is_list(const Value& v) { return v.kind() == Value::Kind::IntList || v.kind() == Value::Kind::List; }

std::vector<Value> literal_items(const Value& v) {
  if (v.kind() == Value::Kind::List) return {v.as_list().begin(), v.as_list().end()};
  std::vector<Value> items;
  for (const SymInt i : v.as_ints()) items.emplace_back(i);
  return items;
}

}  // namespace

bool same_size(SymInt a, SymInt b) {
  if (a.is_symbolic() || b.is_symbolic()) return to_string(a) == to_string(b);
  return a.as_int() == b.as_int();
}

bool same_value(const Value& a, const Value& b) {
  if (is_list(a) && is_list(b)) {
    const std::vector<Value> x = literal_items(a), y = literal_items(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_value);
  }
  if (a.kind() != b.kind()) return false;
  if (a.is_symbolic() || b.is_symbolic()) return to_string(a) == to_string(b);
  if (a.kind() == Value::Kind::Float) return same_double(a.as_double(), b.as_double());
  if (a.kind() == Value::Kind::Complex) {
    const std::complex<double> x = a.as_complex(), y = b.as_complex();
    return same_double(x.real(), y.real()) && same_double(x.imag(), y.imag());
  }
  return a == b;
}

MetaFields differing_fields(const TensorMeta& a, const TensorMeta& b) {
  const SizeEquality equal = [](SymInt x, SymInt y) { return std::optional(same_size(x, y)); };
  MetaFields fields = diff(a, b, kAllMetaFields, equal).all();
  if (!fields.has(MetaField::Size)) return fields;
  // diff() does not compare strides and offset if the sizes differ, so they are compared here.
  if (!std::equal(a.strides.begin(), a.strides.end(), b.strides.begin(), b.strides.end(), same_size))
    fields.add(MetaField::Stride);
  if (!same_size(a.offset, b.offset)) fields.add(MetaField::Offset);
  return fields;
}

}  // namespace ersatz::tools
