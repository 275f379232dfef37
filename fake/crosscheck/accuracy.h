// Compares the results of two runs of a whole program. The tolerances are wider than those for a single call
// (fake/crosscheck/tolerance.h).
//
//   const Accuracy a = same(reference, result, {.tol = 1e-3});
//   if (!a) ...                                          // a.said: dtype mismatch f32, bf16
//
// A result agrees with the reference if all elements are close (A1), or if its error against a run in f64 is not much
// larger than the reference's error (A2).
//
// A1  |result - reference| <= tol + tol * |reference|, computed in f64 for every dtype. With `equal_nan`, NaN equals
//     NaN.
// A2  If there is an f64 run: rmse(result, f64) <= m * rmse(reference, f64) + tol / 10. The factor m is 3 if rounding
//     noise is large: for bf16 results, fewer than 1000 elements, images of 1x1 pixels (4-D) and tol >= 0.02. Else m is
//     2.
// A3  Lists agree if all items agree; maps agree if the items of each key agree.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct AccuracyOptions {
  double tol = 1e-4;              ///< absolute and relative tolerance
  bool cosine = false;            ///< in place of A2: the cosine of the angle between result and reference is at least
                                  ///< 0.99
  bool exact_dtype = true;        ///< false: the reference is converted to the result's dtype
  bool equal_nan = false;         ///< NaN equals NaN
  bool ignore_non_float = false;  ///< integers, bools, strings and None agree with any value
};

struct Accuracy {
  bool same = true;
  std::vector<std::string> said;  ///< the differences, one line each; for `cosine`, the cosine that is too small
  explicit operator bool() const { return same; }
};

/// Compares tensors on any device, numbers, strings, devices, None and lists. `f64` is the result of the run in f64;
/// None: there was no run in f64. RAISES: InvalidArgument for a fake, because fakes have no values, and for other kinds
/// of values.
Accuracy same(const Value& reference, const Value& result, const AccuracyOptions& options = {}, const Value& f64 = {});

using NamedValues = std::map<std::string, Value>;
Accuracy same(const NamedValues& reference, const NamedValues& result, const AccuracyOptions& options = {},
              const NamedValues& f64 = {});

/// Returns the root of the mean squared difference. REQUIRES: tensors on the host with equal numbers of elements.
double rmse(const Tensor& reference, const Tensor& result);

}  // namespace ersatz
