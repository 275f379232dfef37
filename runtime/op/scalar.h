// `Scalar`: a number that is no tensor. Operators' Scalar arguments have this type.
#pragma once

#include <bit>
#include <complex>
#include <string_view>

#include "runtime/base/dtype.h"
#include "runtime/sym/sym_int.h"

namespace ersatz {

class SymFloat;

/// A number with its kind: bool, int, float or complex. All kinds except complex may be symbolic.
class Scalar {
 public:
  enum class Kind : uint8_t { Bool, Int, Float, Complex };
  Scalar(bool v) : kind_(Kind::Bool), word_(v) {}
  Scalar(int v) : kind_(Kind::Int), word_(v) {}
  Scalar(long v) : kind_(Kind::Int), word_(v) {}
  Scalar(long long v) : kind_(Kind::Int), word_(v) {}  // int64_t is `long` or `long long`, by platform
  Scalar(SymInt v) : kind_(Kind::Int), symbolic_(v.is_symbolic()), word_(v.word()) {}
  Scalar(double v) : kind_(Kind::Float), re_(v) {}
  Scalar(float v) : Scalar(static_cast<double>(v)) {}
  Scalar(std::complex<double> v) : kind_(Kind::Complex), re_(v.real()), im_(v.imag()) {}
  static Scalar truth(SymInt v);            ///< makes a bool; `v` is 0 or 1
  static Scalar number(const SymFloat& v);  ///< makes a float

  Kind kind() const { return kind_; }
  bool is_integral() const { return kind_ <= Kind::Int; }
  bool is_complex() const { return kind_ == Kind::Complex; }
  /// Does the number depend on symbols?
  bool is_symbolic() const { return symbolic_; }
  /// Returns Bool, I64, F64 or C128: the dtype of a 0-d tensor of this number.
  DType dtype() const;
  /// The next functions convert to a C++ type. They raise InvalidArgument if a complex value has an imaginary part
  /// other than 0. For a symbolic number, they return the value at the hints and add a guard.
  double to_double() const;
  int64_t to_int() const;  ///< truncates a float
  /// Returns an integer for comparison with integers of at most 32 bits. An integer below SymInt's range becomes the
  /// lowest SymInt.
  SymInt to_comparable() const;
  SymInt to_sym_int() const;  ///< raises InvalidArgument if a SymInt cannot hold the number
  SymFloat to_sym_float() const;
  bool to_bool() const;
  /// Is the number not zero? If that is undecided for a symbolic number, adds a deferred assert with `message`
  /// (`require_truth`).
  bool require(std::string_view message) const;
  std::complex<double> to_complex() const;
  /// Converts to an element type, for kernels: to the widest type of the number's kind, and from that type to T.
  template <class T>
  T to() const;
  bool operator==(const Scalar& o) const;

 private:
  friend class Value;
  SymInt symbol() const { return std::bit_cast<SymInt>(word_); }
  int64_t integer() const { return symbolic_ ? symbol().guard_int() : word_; }
  Kind kind_;
  bool symbolic_ = false;
  int64_t word_ = 0;  // the integer, or the word of a symbolic number's SymInt
  double re_ = 0, im_ = 0;
};

template <class T>
T Scalar::to() const {
  if constexpr (std::is_same_v<T, bool>) {
    return to_bool();
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return static_cast<T>(to_complex());
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(to_int());
  } else {
    return static_cast<T>(to_double());
  }
}

}  // namespace ersatz
