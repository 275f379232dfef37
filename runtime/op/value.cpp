#include "runtime/op/value.h"

#include <cmath>
#include <cstring>

#include "runtime/sym/sym_value.h"
#include "runtime/tensor/generator.h"

namespace ersatz {

namespace {
template <class T>
const T* copy_array(const T* data, size_t n) {
  T* copy = static_cast<T*>(::operator new(n * sizeof(T)));
  std::uninitialized_copy(data, data + n, copy);
  return copy;
}
}  // namespace

Value::Value(ersatz::Tensor t) {
  if (!t) return;
  kind_ = Kind::Tensor;
  owned_ = true;
  u_.tensor = std::move(t).release();
}

Value::Value(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::Kind::Bool:
      *this = s.symbolic_ ? truth(s.symbol()) : Value(s.word_ != 0);
      break;
    case Scalar::Kind::Int:
      *this = s.symbolic_ ? Value(s.symbol()) : Value(s.word_);
      break;
    case Scalar::Kind::Float:
      *this = s.symbolic_ ? number(s.to_sym_float()) : Value(s.re_);
      break;
    case Scalar::Kind::Complex:
      *this = Value(s.to_complex());
      break;
  }
}

Value Value::truth(SymInt v) {
  if (v.is_int()) return Value(!v.is_identical(0));
  Value out;
  out.kind_ = Kind::Bool;
  out.form_ = Form::Expression;
  out.u_.i = v.word();
  return out;
}

Value Value::number(const SymFloat& v) {
  if (v.is_number()) return Value(v.as_double());
  Value out;
  out.kind_ = Kind::Float;
  out.form_ = Form::Expression;
  out.u_.i = v.word().word();
  return out;
}

Value::Value(std::string_view s) : kind_(Kind::String) {
  u_.span = {s.data(), s.size()};
  if (!s.empty()) u_.span.data = copy_array(s.data(), s.size()), owned_ = true;
}

Value::Value(std::span<const SymInt> v) : kind_(Kind::IntList) {
  u_.span = {v.data(), v.size()};
  if (!v.empty()) u_.span.data = copy_array(v.data(), v.size()), owned_ = true;
}

Value::Value(Ref<Generator> g) {
  if (!g) return;
  kind_ = Kind::Generator;
  owned_ = true;
  u_.generator = g.detach();
}

Value Value::list(std::span<const Value> items) {
  Value v;
  v.kind_ = Kind::List;
  v.u_.span = {items.data(), items.size()};
  if (!items.empty()) v.u_.span.data = copy_array(items.data(), items.size()), v.owned_ = true;
  return v;
}

Value Value::int_list(std::span<const int64_t> items) {
  DimVec copy;
  for (int64_t i : items) copy.push_back(i);
  return Value(copy);
}

Value Value::packed(std::span<const Value> items) {
  DimVec ints;
  for (const Value& v : items) {
    if (v.kind_ != Kind::Int || v.form_ == Form::BelowSizes) return list(items);
    ints.push_back(v.as_int());
  }
  return Value(ints);
}

Value Value::borrow(const ersatz::Tensor& t) {
  Value v;
  if (!t) return v;
  v.kind_ = Kind::Tensor;
  v.u_.tensor = t.impl();
  return v;
}

Value Value::borrow(std::span<const SymInt> s) {
  Value v;
  v.kind_ = Kind::IntList;
  v.u_.span = {s.data(), s.size()};
  return v;
}

Value Value::borrow(std::span<const Value> s) {
  Value v;
  v.kind_ = Kind::List;
  v.u_.span = {s.data(), s.size()};
  return v;
}

Value::Value(const Value& o) : u_(o.u_), kind_(o.kind_), form_(o.form_) {
  switch (kind_) {
    case Kind::Tensor:
      u_.tensor->retain();
      owned_ = true;
      break;
    case Kind::Generator:
      u_.generator->retain();
      owned_ = true;
      break;
    case Kind::String:
      if (u_.span.size)
        u_.span.data = copy_array(static_cast<const char*>(o.u_.span.data), o.u_.span.size), owned_ = true;
      break;
    case Kind::IntList:
      if (u_.span.size)
        u_.span.data = copy_array(static_cast<const SymInt*>(o.u_.span.data), o.u_.span.size), owned_ = true;
      break;
    case Kind::List:
      if (u_.span.size)
        u_.span.data = copy_array(static_cast<const Value*>(o.u_.span.data), o.u_.span.size), owned_ = true;
      break;
    default:
      break;
  }
}

void Value::destroy() noexcept {
  switch (kind_) {
    case Kind::Tensor:
      u_.tensor->release();
      break;
    case Kind::Generator:
      u_.generator->release();
      break;
    case Kind::List: {
      auto* items = static_cast<Value*>(const_cast<void*>(u_.span.data));
      std::destroy(items, items + u_.span.size);
      ::operator delete(items);
      break;
    }
    default:
      ::operator delete(const_cast<void*>(u_.span.data));
      break;
  }
}

void Value::raise_wrong_kind(Kind k) const {
  raise_internal_error(__FILE__, __LINE__, "kind() == k", "a {} argument was read as {}", name(kind_), name(k));
}

Tensor Value::tensor() const {
  if (kind_ == Kind::None) return {};
  expect(Kind::Tensor);
  return ersatz::Tensor(Ref<TensorImpl>(u_.tensor));
}
Tensor Value::take_tensor() {
  if (!owned_) return tensor();
  expect(Kind::Tensor);
  kind_ = Kind::None;
  owned_ = false;
  return ersatz::Tensor(Ref<TensorImpl>::adopt(u_.tensor));
}
double Value::as_double() const {
  if (kind_ == Kind::Int || kind_ == Kind::Bool) return static_cast<double>(as_int64());
  expect(Kind::Float);
  return form_ == Form::Usual ? u_.d[0] : as_sym_float().guard_float();
}
SymFloat Value::as_sym_float() const {
  if (kind_ != Kind::Float) return form_ == Form::BelowSizes ? SymFloat(static_cast<double>(u_.i)) : SymFloat(as_int());
  return form_ == Form::Usual ? SymFloat(u_.d[0]) : SymFloat::symbol(word());
}
std::complex<double> Value::as_complex() const {
  if (kind_ != Kind::Complex) return as_double();
  return {u_.d[0], u_.d[1]};
}
Scalar Value::as_scalar() const {
  switch (kind_) {
    case Kind::Bool:
      return form_ == Form::Usual ? Scalar(u_.b) : Scalar::truth(word());
    case Kind::Int:
      return form_ == Form::BelowSizes ? Scalar(u_.i) : Scalar(as_int());
    case Kind::Float:
      return form_ == Form::Usual ? Scalar(u_.d[0]) : Scalar::number(as_sym_float());
    default:
      expect(Kind::Complex);
      return Scalar(std::complex<double>(u_.d[0], u_.d[1]));
  }
}
std::string_view Value::as_string() const {
  expect(Kind::String);
  return {static_cast<const char*>(u_.span.data), static_cast<size_t>(u_.span.size)};
}
std::span<const Value> Value::as_list() const {
  if (kind_ == Kind::IntList && u_.span.size == 0) return {};
  expect(Kind::List);
  return {static_cast<const Value*>(u_.span.data), static_cast<size_t>(u_.span.size)};
}
DType Value::as_dtype() const {
  expect(Kind::DType);
  return static_cast<ersatz::DType>(u_.i);
}
Device Value::as_device() const {
  expect(Kind::Device);
  return u_.device;
}
Layout Value::as_layout() const {
  expect(Kind::Layout);
  return static_cast<ersatz::Layout>(u_.i);
}
MemoryFormat Value::as_memory_format() const {
  expect(Kind::MemoryFormat);
  return static_cast<ersatz::MemoryFormat>(u_.i);
}
Generator* Value::as_generator() const {
  if (kind_ == Kind::None) return nullptr;
  expect(Kind::Generator);
  return u_.generator;
}

bool Value::operator==(const Value& o) const {
  if (kind_ != o.kind_) return false;
  switch (kind_) {
    case Kind::None:
      return true;
    case Kind::Tensor:
      return u_.tensor == o.u_.tensor;
    case Kind::Generator:
      return u_.generator == o.u_.generator;
    case Kind::Bool:
      return form_ == o.form_ && (form_ == Form::Usual ? u_.b == o.u_.b : u_.i == o.u_.i);
    case Kind::Float:
    case Kind::Complex:
      return as_scalar() == o.as_scalar();
    case Kind::Device:
      return u_.device == o.u_.device;
    case Kind::String:
      return as_string() == o.as_string();
    case Kind::IntList: {
      auto a = as_ints(), b = o.as_ints();
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](SymInt x, SymInt y) { return x.is_identical(y); });
    }
    case Kind::List: {
      auto a = as_list(), b = o.as_list();
      return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    default:
      return u_.i == o.u_.i && form_ == o.form_;
  }
}

}  // namespace ersatz
