// The metadata rule of an op: the only function that computes the metadata of the op's outputs.
//
//   rule(RuleContext, inputs' metadata, attributes) -> outputs' metadata and aliasing, or an Error
//
// R1  A rule reads only its RuleCall: no tensor data and no global state. It allocates no storage.
// R2  A rule checks all arguments. A kernel must be able to compute each call that the rule accepts, unless values
//     forbid.
// R3  A rule adds one output per result: fresh, a view of an argument, an argument itself (possibly with new metadata),
//     a number, or none. It adds no output if a size depends on data and no mode makes a symbol (`size_of_data`).
// R4  A rule runs in every mode, and refuses the same calls with the same message in each mode.
//
// REQUIRES: the arguments are complete (defaults filled in) and were checked against the schema.
#pragma once

#include "runtime/base/context.h"
#include "runtime/op/data_symbols.h"
#include "runtime/op/schema.h"
#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

struct OpEntry;

struct OutputSpec {
  enum class Kind : uint8_t {
    Fresh,  ///< a tensor with a storage of its own, as large as `meta` needs
    View,   ///< a new tensor on `source`'s storage
    /// `source` itself with the metadata `meta`, which differ from its present metadata only if the op resizes it or is
    /// an in-place view op
    Same,
    Number,  ///< `number` is the result
    None     ///< an undefined tensor
  };
  Kind kind = Kind::Fresh;
  bool metadata_changed = false;  ///< only for Same: `meta` is new
  /// only the result of the library's kernel has the right strides, because the library chooses them
  bool unknown_layout = false;
  TensorImpl* source = nullptr;
  TensorMeta meta;
  Value number;
};

class RuleResult {
 public:
  // The overloads without `meta` return the output's metadata, which the rule fills in place. That saves a fast rule
  // two moves.
  TensorMeta& fresh() { return outputs.emplace_back().meta; }
  TensorMeta& fresh(TensorMeta&& meta) { return fresh() = std::move(meta); }
  TensorMeta& fresh(const TensorMeta& meta) { return fresh() = meta; }
  TensorMeta& view(TensorImpl* source) {
    OutputSpec& o = outputs.emplace_back();
    o.kind = OutputSpec::Kind::View;
    o.source = source;
    return o.meta;
  }
  TensorMeta& view(TensorImpl* source, TensorMeta&& meta) { return view(source) = std::move(meta); }
  TensorMeta& view(TensorImpl* source, const TensorMeta& meta) { return view(source) = meta; }
  /// Adds the argument itself as an output, with unchanged metadata.
  void same(TensorImpl* source) {
    OutputSpec& o = outputs.emplace_back();
    o.kind = OutputSpec::Kind::Same;
    o.source = source;
    o.meta = source->meta;
  }
  /// Adds the argument itself as an output with new metadata (`resize_`, `t_`, a resized `out=`).
  void same(TensorImpl* source, TensorMeta meta) {
    same(source);
    outputs.back().metadata_changed = true;
    outputs.back().meta = std::move(meta);
  }
  void number(Value v) {
    OutputSpec& o = outputs.emplace_back();
    o.kind = OutputSpec::Kind::Number;
    o.number = std::move(v);
  }
  void none() { outputs.emplace_back().kind = OutputSpec::Kind::None; }

  /// flat, in schema order: the elements of a `Tensor[]` return are consecutive outputs
  InlineVec<OutputSpec, 3> outputs;
  /// Arguments that the call writes although the schema does not say so, for example running statistics. Their version
  /// counters are incremented too.
  InlineVec<TensorImpl*, 2> also_written;
  /// Makes unbacked symbols for sizes that depend on data. A fake mode with a ShapeEnv sets it while a rule runs;
  /// otherwise it is null.
  DataSymbols* symbols = nullptr;
  bool dtype_asked = false;  ///< the rule called `require_dtype`, so it checks dtypes itself
  /// If this is set, `require_dtype` stores the error of a missing kernel here and the rule continues. In-place and
  /// `out=` variants need that, because they check the written argument before they raise the error. Null:
  /// `require_dtype` raises the error.
  std::optional<Error>* no_kernel = nullptr;
};

namespace detail {
#ifdef NDEBUG
inline void require_argument_name(const OpEntry&, size_t, Position) {}
#else
/// Raises InternalError unless the op's argument at `position` has the name from which `position` was made. A wrong
/// name means that a rule or kernel that uses one schema's names was called for another op. Nothing is checked if
/// `arguments` differs from the schema's number of arguments, because the arguments then belong to another op.
void require_argument_name(const OpEntry& op, size_t arguments, Position position);
#endif
}  // namespace detail

/// One operator call, as a rule reads it.
class RuleCall {
 public:
  const OpEntry& op;
  std::span<const Value> args;  ///< complete, in schema order
  const RuleContext& context;
  Device
      device;  ///< the common device of the tensor arguments, by the op's device rule; default device if there are none
  RuleResult& out;

  /// Returns a copy of this call that has other arguments and adds its outputs to `result`.
  RuleCall with(std::span<const Value> arguments, RuleResult& result) const {
    result.symbols = out.symbols;
    result.no_kernel = out.no_kernel;
    return {op, arguments, context, device, result};
  }
  /// For a derived op: returns the call of its functional op, with the arguments before the written ones. The call adds
  /// its outputs to `result`.
  RuleCall functional(RuleResult& result) const;
  /// Runs the rule of the functional op on functional(result).
  void ask_functional(RuleResult& result) const;

  // Arguments, by name of a Schema (runtime/op/schema_literal.h) or by a computed position.
  const Value& operator[](Position i) const {
    detail::require_argument_name(op, args.size(), i);
    return args[i];
  }
  bool has(Position i) const { return !(*this)[i].is_none(); }
  bool is_tensor(Position i) const { return (*this)[i].is_tensor(); }
  TensorImpl* tensor(Position i) const { return (*this)[i].tensor_impl(); }
  const TensorMeta& meta(Position i) const { return tensor(i)->meta; }
  SymInt sym(Position i) const { return (*this)[i].as_bound(); }
  int64_t integer(Position i) const { return (*this)[i].as_int64(); }
  bool boolean(Position i) const { return (*this)[i].as_bool(); }
  double real(Position i) const { return (*this)[i].as_double(); }
  Scalar scalar(Position i) const { return (*this)[i].as_scalar(); }
  std::span<const SymInt> ints(Position i) const { return (*this)[i].as_ints(); }
  std::span<const Value> list(Position i) const { return (*this)[i].as_list(); }

  /// Returns an unbacked symbol for a size that depends on data. Returns nullopt if no mode makes symbols; the rule
  /// then adds no output.
  std::optional<SymInt> size_of_data(const SizeOfData& wanted) const {
    return out.symbols ? out.symbols->size(wanted) : std::nullopt;
  }
  /// Returns a symbol for the value of a one-element tensor. Returns nullopt if no mode makes symbols; the rule then
  /// adds no output.
  std::optional<Value> number_of_data(TensorImpl* of) const {
    return out.symbols ? out.symbols->number(of) : std::nullopt;
  }

  // Refusals. `label` is the constraint's number in the op's header: with the label `C2`, the error of `cat` has the
  // label `cat.C2`. The message is formatted only if the check fails, so pass TensorMeta, SymInt and spans themselves
  // instead of strings.
  template <class... A>
  void require(bool ok, std::string_view label, fmt::format_string<A...> format, const A&... values) const {
    if (!ok) [[unlikely]]
      refuse(ErrorFamily::Runtime, label, format, values...);
  }
  template <class... A>
  void require_index(bool ok, std::string_view label, fmt::format_string<A...> format, const A&... values) const {
    if (!ok) [[unlikely]]
      refuse(ErrorFamily::Index, label, format, values...);
  }
  template <class... A>
  [[noreturn]] void refuse(ErrorFamily family, std::string_view label, fmt::format_string<A...> format,
                           const A&... values) const {
    raise(ErrorKind::InvalidArgument, family, label, format, fmt::make_format_args(values...));
  }
  /// Raises NotSupported for a valid call that has no kernel, for example for this dtype on this device. REQUIRES:
  /// PyTorch refuses the call too.
  template <class... A>
  [[noreturn]] void not_supported(fmt::format_string<A...> format, const A&... values) const {
    raise(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "", format, fmt::make_format_args(values...));
  }
  /// Raises NotSupported for a valid call that ersatz does not model. PyTorch may compute the call; that does not count
  /// as a difference.
  template <class... A>
  [[noreturn]] void not_modelled(fmt::format_string<A...> format, const A&... values) const {
    raise(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "NYI", format, fmt::make_format_args(values...));
  }
  /// Raises an error if `t` is not in `set`, as PyTorch does for a missing kernel: `"relu" not implemented for bool on
  /// cpu`. If `out.no_kernel` is set, stores the error there and returns, so that the rule continues.
  void require_dtype(DType t, DTypeSet set) const;
  /// For rules that do not call require_dtype: raises unless the op takes the dtype of every tensor
  /// (`OpEntry::limited_dtypes`).
  void require_limited_dtypes() const;
  /// Like require_dtype, but always raises. For checks that PyTorch makes before it looks for a kernel.
  void require_dtype_first(DType t, DTypeSet set) const;
  /// Returns dim `d` as a non-negative number; a negative `d` is counted from the end. Raises IndexError with the label
  /// `dim` if `d` is not in [-rank, rank). For a 0-d tensor, `rank` counts as 1.
  int64_t wrap_dim(int64_t d, int64_t rank) const;

 private:
  [[noreturn]] void raise(ErrorKind, ErrorFamily, std::string_view label, fmt::string_view format,
                          fmt::format_args args) const;
};

using Rule = void (*)(RuleCall& call);

}  // namespace ersatz

/// Sizes in messages: `[2, 3]`.
template <>
struct fmt::formatter<std::span<const ersatz::SymInt>> {
  constexpr auto parse(fmt::format_parse_context& spec) const { return spec.begin(); }
  auto format(std::span<const ersatz::SymInt> v, fmt::format_context& to) const -> fmt::format_context::iterator;
};
template <>
struct fmt::formatter<ersatz::DimVec> : fmt::formatter<std::span<const ersatz::SymInt>> {};
