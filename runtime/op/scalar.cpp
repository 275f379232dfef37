#include "runtime/op/scalar.h"

#include <cmath>

#include "runtime/base/error.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {

Scalar Scalar::truth(SymInt v) {
  Scalar s(v.is_identical(1));
  if (v.is_symbolic()) s.symbolic_ = true, s.word_ = v.word();
  return s;
}

Scalar Scalar::number(const SymFloat& v) {
  if (v.is_number()) return Scalar(v.as_double());
  Scalar s(0.0);
  s.symbolic_ = true;
  s.word_ = v.word().word();
  return s;
}

DType Scalar::dtype() const {
  switch (kind_) {
    case Kind::Bool:
      return DType::Bool;
    case Kind::Int:
      return DType::I64;
    case Kind::Float:
      return DType::F64;
    case Kind::Complex:
      return DType::C128;
  }
  return DType::F64;
}

double Scalar::to_double() const {
  if (is_integral()) return static_cast<double>(integer());
  if (is_complex() && im_ != 0)
    fail_argument("the complex number {}{:+}j cannot be converted to a float without loss", re_, im_);
  return symbolic_ ? to_sym_float().guard_float() : re_;
}

int64_t Scalar::to_int() const {
  if (is_integral()) return integer();
  double v = to_double();
  if (!(v >= -9223372036854775808.0 && v < 9223372036854775808.0)) {
    fail_argument("the number {} cannot be converted to an integer of 64 bits", v);
  }
  return static_cast<int64_t>(v);
}

SymInt Scalar::to_sym_int() const {
  if (!symbolic_) return SymInt(to_int());
  return is_integral() ? symbol() : trunc_to_int(to_sym_float());
}
SymFloat Scalar::to_sym_float() const {
  if (!symbolic_) return SymFloat(to_double());
  return is_integral() ? SymFloat(symbol()) : SymFloat::symbol(symbol());
}
SymInt Scalar::to_comparable() const {
  return !symbolic_ && !SymInt::holds(to_int()) ? SymInt::lowest() : to_sym_int();
}
bool Scalar::to_bool() const {
  if (!symbolic_) return is_integral() ? word_ != 0 : re_ != 0 || im_ != 0;
  return guard_ne(is_integral() ? symbol() : truth_of(SymCompare::Ne, to_sym_float(), 0.0), 0);
}
bool Scalar::require(std::string_view message) const {
  if (!symbolic_) return to_bool();
  return require_truth(is_integral() ? symbol() : truth_of(SymCompare::Ne, to_sym_float(), 0.0), message);
}

std::complex<double> Scalar::to_complex() const {
  return is_integral() ? std::complex<double>(static_cast<double>(integer()))
                       : std::complex<double>(symbolic_ ? to_double() : re_, im_);
}

bool Scalar::operator==(const Scalar& o) const {
  if (kind_ != o.kind_) return false;
  if (is_integral() || symbolic_ || o.symbolic_) return symbolic_ == o.symbolic_ && word_ == o.word_;
  return (re_ == o.re_ || (std::isnan(re_) && std::isnan(o.re_))) &&
         (im_ == o.im_ || (std::isnan(im_) && std::isnan(o.im_)));
}

}  // namespace ersatz
