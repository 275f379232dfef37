// The annotation of a value in a readable graph, `f16[8, 64][64, 1]cuda:0`, `f32[2, s27]` or `Sym(2*s77)`.
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
  std::string device;      ///< empty: the text gives none
  std::string offset;      ///< storage offset, which only scripts give; empty: none given
  bool row_major = false;  ///< strides are not written because they are row-major
  std::string expression;  ///< of Kind::Number
};

/// A tensor's dtype if the text has its sizes and strides but no dtype.
inline constexpr std::string_view kAnyDtype = "any";

/// Raises InvalidArgument for a tensor annotation with unbalanced brackets or too many dims. Another text
/// (`torch.Tensor`) is Kind::Other.
Annotation parse_annotation(std::string_view text);

/// A symbol's example value and bounds, as a log gives them.
struct SymbolHint {
  std::optional<int64_t> value;
  std::optional<double> real;  ///< example value of a float symbol
  std::optional<int64_t> min, max;
};
using SymbolHints = std::map<std::string, SymbolHint, std::less<>>;  ///< by the symbol's name

/// Copies the bounds and the value of `hint` into `symbol`.
void apply_hint(const SymbolHint& hint, SymbolInfo& symbol);
/// Gives each symbol its value and bounds from the hints. A symbol without a value gets a made-up one, and is added to
/// `synthetic`.
void settle_symbols(ShapeEnv& env, const SymbolHints& hints, std::vector<std::string>& synthetic);

/// Returns the dtype for `float32` or `f32`; `b8` is bool.
std::optional<DType> dtype_called(std::string_view name);

/// Returns the annotation's metadata, row-major if it has no strides. Raises InvalidArgument for an impossible dtype or
/// size.
TensorMeta meta_of(const Annotation& annotation, ShapeEnv& env);

}  // namespace ersatz::pasted
