// The annotation of a value in a readable graph: `f16[8, 64][64, 1]cuda:0`, `f32[2, s27]`, `Sym(2*s77)`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sym/sym_expr.h"
#include "tracer/program/program.h"

namespace ersatz::pasted {

struct Annotation {
  enum class Kind : uint8_t { None, Tensor, Number, Other };
  Kind kind = Kind::None;
  std::string dtype;  ///< `f16`, `b8`, PyTorch's long name, or kAnyDtype
  std::vector<std::string> sizes;
  std::optional<std::vector<std::string>> strides;
  std::string device;      ///< empty: not told
  std::string offset;      ///< of a script; empty: not told
  bool row_major = false;  ///< strides are not written since they are row-major
  std::string expression;  ///< of a number
};

/// The spelling of an unknown dtype: the text has sizes and strides of the tensor, and no dtype.
inline constexpr std::string_view kAnyDtype = "any";

/// InvalidArgument where a tensor's annotation is none: brackets, ranks. Other texts (`torch.Tensor`) are Kind::Other.
Annotation parse_annotation(std::string_view text);

/// A symbol's example value and bounds, as a log has them.
struct SymbolHint {
  std::optional<int64_t> value;
  std::optional<double> real;  ///< of a float
  std::optional<int64_t> min, max;
};
using SymbolHints = std::map<std::string, SymbolHint, std::less<>>;  ///< by the symbol's name

/// `float32` and `f32`; `b8` is a bool.
std::optional<DType> dtype_called(std::string_view name);

/// The metadata; strides that are not told are row-major. InvalidArgument names what cannot be: a dtype, a size.
TensorMeta meta_of(const Annotation& annotation, ShapeEnv& env);

}  // namespace ersatz::pasted
