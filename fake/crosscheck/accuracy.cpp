#include "fake/crosscheck/accuracy.h"

#include <cmath>
#include <complex>

#include "fake/crosscheck/cpu_run.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

constexpr double kLeastCosine = 0.99;
constexpr int64_t kFewElements = 1000;
constexpr double kWideTolerance = 0.02;

/// The elements of a tensor as complex numbers in f64, row-major.
class WideElements {
 public:
  explicit WideElements(const Tensor& t) : wide_(converted(t, DType::C128)) {}
  std::span<const std::complex<double>> get() const {
    return {wide_.data<std::complex<double>>(), static_cast<size_t>(wide_.numel().as_int())};
  }

 private:
  Tensor wide_;
};

bool close(std::complex<double> a, std::complex<double> b, double tol, bool equal_nan) {
  const bool nan_a = std::isnan(a.real()) || std::isnan(a.imag()), nan_b = std::isnan(b.real()) || std::isnan(b.imag());
  if (nan_a || nan_b) return equal_nan && nan_a && nan_b;
  return a == b || (std::isfinite(std::abs(b)) && std::abs(a - b) <= tol + tol * std::abs(b));
}

bool all_close(const Tensor& result, const Tensor& reference, double tol, bool equal_nan) {
  const WideElements a(result), b(reference);
  return std::equal(a.get().begin(), a.get().end(), b.get().begin(), b.get().end(),
                    [&](auto x, auto y) { return close(x, y, tol, equal_nan); });
}

double cosine(const Tensor& a, const Tensor& b) {
  constexpr double kLeast = 1e-6;  // lower limit of the divisor (the product of the two lengths), which avoids a
                                   // division by 0
  const Tensor x = converted(a, DType::F32), y = converted(b, DType::F32);
  const float *p = x.data<float>(), *q = y.data<float>();
  double product = 0, length_x = 0, length_y = 0;
  for (int64_t i = 0; i < x.numel().as_int(); ++i) {
    product += double(p[i]) * q[i];
    length_x += double(p[i]) * p[i];
    length_y += double(q[i]) * q[i];
  }
  return product / std::max(std::sqrt(length_x) * std::sqrt(length_y), kLeast);
}

/// Returns the factor m of A2 (accuracy.h).
double multiplier(const Tensor& result, double tol) {
  const bool one_pixel = result.dim() == 4 && result.size(2).as_int() == 1 && result.size(3).as_int() == 1;
  const bool few = result.numel().as_int() < kFewElements;
  return result.dtype() == DType::BF16 || few || one_pixel || tol >= kWideTolerance ? 3 : 2;
}

class Comparison {
 public:
  explicit Comparison(const AccuracyOptions& options) : options_(options) {}

  bool values(const Value& reference, const Value& result, const Value& f64) {
    using Kind = Value::Kind;
    switch (reference.kind()) {
      case Kind::List:
      case Kind::IntList:
        return lists(items_of(reference), result, items_of(f64));
      case Kind::Tensor:
      case Kind::Float:
      case Kind::Complex:
        if (!is_tensor_like(result)) {
          return say(fmt::format("type mismatch {}, {}", name(reference.kind()), name(result.kind())));
        }
        return tensors(tensor_of(reference), tensor_of(result), is_tensor_like(f64) ? tensor_of(f64) : Tensor());
      case Kind::None:
      case Kind::Bool:
      case Kind::Int:
      case Kind::String:
      case Kind::Device:
        if (options_.ignore_non_float || reference == result) return true;
        return say(fmt::format("Accuracy failed ({}): {} != {}", name(reference.kind()), to_string(reference),
                               to_string(result)));
      default:
        fail_argument("unsupported type: {} is no value that a run returns", name(reference.kind()));
    }
  }

  bool maps(const NamedValues& reference, const NamedValues& result, const NamedValues& f64) {
    const bool keys = std::equal(reference.begin(), reference.end(), result.begin(), result.end(),
                                 [](const auto& a, const auto& b) { return a.first == b.first; });
    if (!keys) return say("keys mismatch");
    for (const auto& [key, value] : reference) {
      const auto wide = f64.find(key);
      if (!values(value, result.at(key), wide == f64.end() ? Value() : wide->second)) {
        return say("Accuracy failed for key name " + key);
      }
    }
    return true;
  }

  std::vector<std::string> said;

 private:
  bool say(std::string line) {
    said.push_back(std::move(line));
    return false;
  }

  static bool is_tensor_like(const Value& v) {
    return v.is_tensor() || v.kind() == Value::Kind::Float || v.kind() == Value::Kind::Complex;
  }
  static std::vector<Value> items_of(const Value& v) {
    if (v.kind() == Value::Kind::List) return {v.as_list().begin(), v.as_list().end()};
    std::vector<Value> items;
    if (v.kind() == Value::Kind::IntList) {
      for (const SymInt i : v.as_ints()) items.emplace_back(i);
    }
    return items;
  }
  static Tensor tensor_of(const Value& v) {
    if (v.is_tensor()) {
      const Tensor t = v.tensor();
      if (t.is_fake() || t.device().is_meta()) {
        fail_argument("{} has no values to compare: real tensors are compared", to_string(t.meta()));
      }
      return on_host(t);
    }
    const bool is_float = v.kind() == Value::Kind::Float;
    const Tensor one = make_real_tensor(TensorMeta(is_float ? DType::F32 : DType::C64, DimVec{}));
    if (is_float) {
      *one.data<float>() = static_cast<float>(v.as_double());
    } else {
      *one.data<std::complex<float>>() = std::complex<float>(v.as_complex());
    }
    return one;
  }

  bool lists(const std::vector<Value>& reference, const Value& result, const std::vector<Value>& f64) {
    const bool list = result.kind() == Value::Kind::List || result.kind() == Value::Kind::IntList;
    if (!list) return say(fmt::format("type mismatch List, {}", name(result.kind())));
    const std::vector<Value> items = items_of(result);
    if (items.size() != reference.size()) return say("Length mismatch");
    for (size_t i = 0; i < items.size(); ++i) {
      if (!values(reference[i], items[i], i < f64.size() ? f64[i] : Value())) return false;
    }
    return true;
  }

  bool tensors(Tensor reference, const Tensor& result, const Tensor& f64) {
    if (options_.exact_dtype && reference.dtype() != result.dtype()) {
      return say(fmt::format("dtype mismatch {}, {}", name(reference.dtype()), name(result.dtype())));
    }
    if (!sym_eq(reference.sizes(), result.sizes())) {
      return say(fmt::format("shape mismatch {}, {}", to_string(reference.meta()), to_string(result.meta())));
    }
    if (options_.exact_dtype && reference.dtype() == DType::Bool) return bytes(reference, result);
    if (options_.cosine) return angle(reference, result);
    if (!options_.exact_dtype) reference = converted(reference, result.dtype());
    if (all_close(result, reference, options_.tol, options_.equal_nan)) return true;
    if (f64 && f64.dtype() == DType::F64) return errors(reference, result, f64);
    if (options_.ignore_non_float && !is_float(result.dtype()) && !is_complex(result.dtype())) return true;
    return say(fmt::format("Accuracy failed: allclose not within tol={}", options_.tol));
  }

  bool bytes(const Tensor& reference, const Tensor& result) {
    if (options_.ignore_non_float || all_close(result, reference, options_.tol, options_.equal_nan)) return true;
    return say("Accuracy failed: the bytes of bool tensors differ");
  }

  bool angle(const Tensor& reference, const Tensor& result) {
    const Tensor a = converted(reference, DType::F32), b = converted(result, DType::F32);
    if (all_close(b, a, options_.tol, true)) return true;  // true also if both tensors are zero, which have no angle
    const double score = cosine(a, b);
    if (score >= kLeastCosine) return true;
    return say(fmt::format("Similarity score={:.6g}", score));
  }

  bool errors(const Tensor& reference, const Tensor& result, const Tensor& f64) {
    const double mine = rmse(f64, result), theirs = rmse(f64, reference), m = multiplier(result, options_.tol);
    if (mine <= m * theirs + options_.tol / 10) return true;
    if (options_.equal_nan && std::isnan(mine) && std::isnan(theirs))
      return true;  // both are NaN, because the f64 run or both runs have a NaN
    return say(fmt::format("RMSE (res-fp64): {:.5f}, (ref-fp64): {:.5f}, shape {}, dtype {}, multiplier {}, tol {}",
                           mine, theirs, sizes_text(result), name(result.dtype()), m, options_.tol));
  }
  static std::string sizes_text(const Tensor& t) { return to_string(Value(t.sizes())); }

  const AccuracyOptions& options_;
};

template <class Compare>
Accuracy compared(const AccuracyOptions& options, const Compare& compare) {
  Comparison comparison(options);
  Accuracy a;
  a.same = compare(comparison);
  a.said = std::move(comparison.said);
  return a;
}

}  // namespace

double rmse(const Tensor& reference, const Tensor& result) {
  const WideElements a(reference), b(result);
  double sum = 0;
  for (size_t i = 0; i < a.get().size(); ++i) sum += std::norm(a.get()[i] - b.get()[i]);
  return a.get().empty() ? 0 : std::sqrt(sum / static_cast<double>(a.get().size()));
}

Accuracy same(const Value& reference, const Value& result, const AccuracyOptions& options, const Value& f64) {
  return compared(options, [&](Comparison& c) { return c.values(reference, result, f64); });
}

Accuracy same(const NamedValues& reference, const NamedValues& result, const AccuracyOptions& options,
              const NamedValues& f64) {
  return compared(options, [&](Comparison& c) { return c.maps(reference, result, f64); });
}

}  // namespace ersatz
