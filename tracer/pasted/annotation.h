// The annotation of a value in a readable FX graph, for example `f16[8, 64][64, 1]cuda:0`, `f32[2, s27]` or
// `Sym(2*s77)`.
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
  std::string dtype;  ///< `f16`, `b8`, a long name of PyTorch, or kAnyDtype
  std::vector<std::string> sizes;
  std::optional<std::vector<std::string>> strides;
  std::string device;      ///< empty: the text does not give the device
  std::string offset;      ///< storage offset; only scripts give it, else it is empty
  bool row_major = false;  ///< the annotation has no strides because they are row-major
  std::string expression;  ///< for Kind::Number: the expression
};

/// The dtype of a tensor if the text gives its sizes and strides but no dtype.
inline constexpr std::string_view kAnyDtype = "any";

/// Parses an annotation. RAISES InvalidArgument for a tensor with unbalanced brackets or too many dims. Any other text
/// (`torch.Tensor`) is Kind::Other.
Annotation parse_annotation(std::string_view text);

/// Example value and bounds of a symbol, read from a log.
struct SymbolHint {
  std::optional<int64_t> value;
  std::optional<double> real;  ///< example value of a float symbol
  std::optional<int64_t> min, max;
};
using SymbolHints = std::map<std::string, SymbolHint, std::less<>>;  ///< symbol name -> its hint

/// Copies the bounds and the value of `hint` into `symbol`.
void apply_hint(const SymbolHint& hint, SymbolInfo& symbol);
/// Gives each symbol the value and bounds of its hint. A symbol without a value gets a synthetic one, and its name is
/// added to `synthetic`.
void settle_symbols(ShapeEnv& env, const SymbolHints& hints, std::vector<std::string>& synthetic);

/// Returns the dtype that `float32` or `f32` names; `b8` is bool.
std::optional<DType> dtype_called(std::string_view name);

/// Returns the annotation's metadata, with row-major strides if it has none. RAISES InvalidArgument for an unknown
/// dtype or an impossible size.
TensorMeta meta_of(const Annotation& annotation, ShapeEnv& env);

}  // namespace ersatz::pasted
