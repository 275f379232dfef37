// `Value`: any argument or result of an operator, boxed in 24 bytes.
//
// `borrow` makes a Value that does not own its tensor or list; a copy of that Value owns it. Typed calls borrow their
// arguments, so passing a tensor changes no reference count. Kinds follow ATen's schema language. Numbers keep their
// own kind, because 2, 2.0 and true promote differently. Sizes are SymInt. A bool, int or float may be an expression
// over symbols (runtime/sym/sym_value.h). Reading a symbolic number as a plain C++ number decides its value and adds a
// guard.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "runtime/op/scalar.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class Generator;

class Value {
 public:
  enum class Kind : uint8_t {
    None,
    Tensor,
    Bool,
    Int,
    Float,
    Complex,
    String,
    IntList,
    List,
    DType,
    Device,
    Layout,
    MemoryFormat,
    Generator
  };

  Value() = default;  ///< None
  Value(std::nullopt_t) {}
  Value(Tensor t);  ///< owning; an undefined tensor becomes None
  /// Accepts only bool itself, no type that converts to bool. Otherwise a pair of pointers `{p, p + 2}`, which means a
  /// range, would become two bools.
  template <std::same_as<bool> B>
  Value(B v) : kind_(Kind::Bool) {
    u_.b = v;
  }
  Value(int v) : kind_(Kind::Int) { u_.i = v; }
  Value(int64_t v) : kind_(Kind::Int), form_(SymInt::holds(v) ? Form::Usual : Form::BelowSizes) { u_.i = v; }
  Value(SymInt v) : kind_(Kind::Int) { u_.i = v.word(); }
  Value(double v) : kind_(Kind::Float) { u_.d[0] = v; }
  Value(std::complex<double> v) : kind_(Kind::Complex) { u_.d[0] = v.real(), u_.d[1] = v.imag(); }
  Value(const Scalar& s);
  static Value truth(SymInt v);            ///< makes a Bool; `v` is 0 or 1
  static Value number(const SymFloat& v);  ///< makes a Float
  Value(DType v) : kind_(Kind::DType) { u_.i = static_cast<int64_t>(v); }
  Value(Device v) : kind_(Kind::Device) { u_.device = v; }
  Value(Layout v) : kind_(Kind::Layout) { u_.i = static_cast<int64_t>(v); }
  Value(MemoryFormat v) : kind_(Kind::MemoryFormat) { u_.i = static_cast<int64_t>(v); }
  Value(std::string_view s);  ///< owning copy
  Value(const char* s) : Value(std::string_view(s)) {}
  Value(std::span<const SymInt> v);  ///< owning copy: an int list
  Value(const DimVec& v) : Value(std::span<const SymInt>(v)) {}
  Value(Ref<Generator> g);
  template <class T>
  Value(const std::optional<T>& v) {
    if (v) *this = Value(*v);
  }
  /// owning copy of any list that is no int list (tensors, floats, bools, mixed)
  static Value list(std::span<const Value> items);
  static Value int_list(std::span<const int64_t> items);
  /// Makes an int list if every item is an integer that fits into a SymInt, else a list of Values.
  static Value packed(std::span<const Value> items);

  static Value borrow(const ersatz::Tensor& t);
  static Value borrow(std::span<const SymInt> v);
  static Value borrow(std::span<const Value> items);

  /// Returns a Value that does not own the payload. The returned Value is valid until this one is destroyed or assigned
  /// to.
  Value borrowed() const {
    Value v;
    v.u_ = u_;
    v.kind_ = kind_;
    v.form_ = form_;
    return v;
  }

  Value(const Value& o);
  Value(Value&& o) noexcept : u_(o.u_), kind_(o.kind_), owned_(o.owned_), form_(o.form_) {
    o.kind_ = Kind::None, o.owned_ = false;
  }
  Value& operator=(Value o) noexcept {
    std::swap(u_, o.u_);
    std::swap(kind_, o.kind_);
    std::swap(owned_, o.owned_);
    std::swap(form_, o.form_);
    return *this;
  }
  ~Value() {
    if (owned_) destroy();
  }

  Kind kind() const { return kind_; }
  bool is_none() const { return kind_ == Kind::None; }
  bool is_tensor() const { return kind_ == Kind::Tensor; }
  /// Is the kind bool, int, float or complex?
  bool is_number() const { return kind_ >= Kind::Bool && kind_ <= Kind::Complex; }

  // Accessors. REQUIRE: the Value has the accessor's kind. For another kind they raise InternalError, because only code
  // can be wrong here: arguments were checked against the schema.
  TensorImpl* tensor_impl() const {
    expect(Kind::Tensor);
    return u_.tensor;
  }
  ersatz::Tensor tensor() const;  ///< a new handle; undefined for None
  ersatz::Tensor take_tensor();   ///< returns the tensor and makes this Value None
  /// Returns the bool. For a symbolic bool, decides the value and adds a guard.
  bool as_bool() const {
    expect(Kind::Bool);
    return form_ == Form::Usual ? u_.b : guard_ne(word(), 0);
  }
  /// Returns a size, stride, dim or count; a Bool counts as 0 or 1. Raises InvalidArgument if a SymInt cannot hold the
  /// number.
  SymInt as_int() const {
    if (kind_ == Kind::Bool) return form_ == Form::Usual ? SymInt(u_.b ? 1 : 0) : word();
    expect(Kind::Int);
    return form_ == Form::BelowSizes ? SymInt(u_.i) : word();
  }
  /// Returns a dim, index or bound. A number below SymInt's range becomes the lowest SymInt, which is out of range for
  /// every tensor too.
  SymInt as_bound() const { return form_ == Form::BelowSizes ? SymInt::lowest() : as_int(); }
  /// Returns any 64-bit integer. For a symbolic one, decides the value and adds a guard.
  int64_t as_int64() const { return form_ == Form::BelowSizes ? u_.i : as_int().guard_int(); }
  /// Is this an int that depends on symbols?
  bool is_symbolic_int() const { return kind_ == Kind::Int && form_ == Form::Usual && word().is_symbolic(); }
  /// Is this a bool, int or float that depends on symbols?
  bool is_symbolic() const { return form_ == Form::Expression || is_symbolic_int(); }
  /// Returns the number of a Float, an Int or a Bool. For a symbolic number, decides the value and adds a guard.
  double as_double() const;
  SymFloat as_sym_float() const;
  std::complex<double> as_complex() const;
  Scalar as_scalar() const;
  std::string_view as_string() const;
  std::span<const SymInt> as_ints() const {
    if (kind_ == Kind::List && u_.span.size == 0) return {};
    expect(Kind::IntList);
    return {static_cast<const SymInt*>(u_.span.data), static_cast<size_t>(u_.span.size)};
  }
  std::span<const Value> as_list() const;  ///< the items of a List; an empty IntList counts as an empty List
  ersatz::DType as_dtype() const;
  ersatz::Device as_device() const;
  ersatz::Layout as_layout() const;
  ersatz::MemoryFormat as_memory_format() const;
  Generator* as_generator() const;  ///< null for None

  /// Are kinds and contents equal? Tensors are equal if they are the same object; NaN equals NaN.
  bool operator==(const Value& o) const;

 private:
  void destroy() noexcept;
  void expect(Kind k) const {
    if (kind_ != k) [[unlikely]]
      raise_wrong_kind(k);
  }
  [[noreturn]] void raise_wrong_kind(Kind k) const;
  struct Span {
    const void* data;
    uint64_t size;
  };
  union Payload {
    TensorImpl* tensor;
    Generator* generator;
    bool b;
    int64_t i;
    double d[2];
    ersatz::Device device;
    Span span;
    Payload() : span{} {}
  } u_;
  SymInt word() const { return std::bit_cast<SymInt>(u_.i); }
  /// The way in which the payload of a number is stored.
  enum class Form : uint8_t {
    Usual,
    BelowSizes,  // an Int that no SymInt can hold, stored as a plain integer
    Expression   // a symbolic Bool or Float, stored as the word of a SymInt whose value is 0 or 1, or a float
  };
  Kind kind_ = Kind::None;
  bool owned_ = false;
  Form form_ = Form::Usual;
};
static_assert(sizeof(Value) == 24);

using Values = InlineVec<Value, 3>;

std::string_view name(Value::Kind k);
/// Returns the literal spelling (docs/text-form.md): `2`, `2.0`, `True`, `None`, `[1, 2]`, `"text"`, `f32`, `cuda:0`,
/// `4*s0`, `bool(s0>=2)`, `float(0.5*ToFloat(s0))`. Tensors are spelled by their full metadata.
std::string to_string(const Value& v);

}  // namespace ersatz
