// The metadata rule of an op: the only function that computes the metadata of its outputs.
//
//   rule(RuleContext, inputs' metadata, attributes) -> outputs' metadata and aliasing, or an Error
//
// R1  A rule reads its RuleCall and nothing else: no data, no allocation of storages, no global state.
// R2  It does all validation. The kernel must be able to compute each call that the rule lets pass, values aside.
// R3  It names every output: fresh, a view of an argument, an argument itself (maybe with new metadata), a number, or
//     none. If a size depends on data and no mode makes a symbol for it (`size_of_data`), there is no output.
// R4  It runs in every mode; the same call is refused with the same words in each.
//
// Arguments are complete and checked against the schema before a rule runs (defaults filled in).
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
    Fresh,   ///< storage of its own, of the metadata's extent
    View,    ///< a new tensor on `source`'s storage
    Same,    ///< `source` itself; `meta` differs from its metadata only for resizing and in-place view ops
    Number,  ///< `number` is the result
    None     ///< an undefined tensor
  };
  Kind kind = Kind::Fresh;
  bool metadata_changed = false;  ///< of a Same output: `meta` is new
  bool unknown_layout = false;    ///< only the library determines the strides: those of its kernel's result count
  TensorImpl* source = nullptr;
  TensorMeta meta;
  Value number;
};

class RuleResult {
 public:
  // The overloads without `meta` return one to be filled in place, which saves a quick rule two moves.
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
  /// Adds the argument itself as an output, metadata unchanged.
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

  InlineVec<OutputSpec, 3> outputs;  ///< flat, in schema order; elements of a `Tensor[]` return follow each other
  /// Arguments that the call writes although the schema does not mark them (running statistics): their versions
  /// increase too.
  InlineVec<TensorImpl*, 2> also_written;
  /// Makes unbacked symbols for sizes that depend on data. A fake mode with a ShapeEnv sets it while the rule runs;
  /// else null.
  DataSymbols* symbols = nullptr;
  bool dtype_asked = false;  ///< `require_dtype` was called: the rule itself checks the dtypes
  /// Stores the error of a missing kernel while the rule continues, because forms that write an argument check that
  /// argument first. Null: `require_dtype` raises the error.
  std::optional<Error>* no_kernel = nullptr;
};

namespace detail {
#ifdef NDEBUG
inline void require_argument_name(const OpEntry&, size_t, Position) {}
#else
/// Raises InternalError unless the op's argument at `position` has the name that the position was made from. Then a
/// rule or kernel that uses one schema's names was called for another op. Not checked if the number of `arguments`
/// differs from the schema's, because the arguments then belong to another op.
void require_argument_name(const OpEntry& op, size_t arguments, Position position);
#endif
}  // namespace detail

/// One call, as the rule reads it.
class RuleCall {
 public:
  const OpEntry& op;
  std::span<const Value> args;  ///< complete, in schema order
  const RuleContext& context;
  Device
      device;  ///< the common device of the tensor arguments, by the op's device rule; default device if there are none
  RuleResult& out;

  /// Returns this call with other arguments, whose outputs are stored in `result`.
  RuleCall with(std::span<const Value> arguments, RuleResult& result) const {
    result.symbols = out.symbols;
    result.no_kernel = out.no_kernel;
    return {op, arguments, context, device, result};
  }
  /// Returns the call of the functional op of this derived form: the arguments before the written ones. Its outputs are
  /// stored in `result`.
  RuleCall functional(RuleResult& result) const;
  /// Runs the functional op's rule for that call.
  void ask_functional(RuleResult& result) const;

  // Arguments, named by a Schema (runtime/op/schema_literal.h) or by a position that is no constant.
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

  /// Returns an unbacked symbol for a size that depends on data. Empty if no mode makes symbols: the rule then names no
  /// output.
  std::optional<SymInt> size_of_data(const SizeOfData& wanted) const {
    return out.symbols ? out.symbols->size(wanted) : std::nullopt;
  }
  /// Returns the value of a one-element tensor as a symbol. Empty if no mode makes symbols: the rule then names no
  /// output.
  std::optional<Value> number_of_data(TensorImpl* of) const {
    return out.symbols ? out.symbols->number(of) : std::nullopt;
  }

  // Refusals. `label` is the constraint's number in the op's header, `C2`: the error carries `cat.C2`. The message is
  // formatted only on failure; pass TensorMeta, SymInt and spans themselves, not strings made of them.
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
  /// Raises NotSupported for a legal call that has no kernel here, for example for this dtype on this device. PyTorch
  /// refuses the call too.
  template <class... A>
  [[noreturn]] void not_supported(fmt::format_string<A...> format, const A&... values) const {
    raise(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "", format, fmt::make_format_args(values...));
  }
  /// Raises NotSupported for a legal call that ersatz does not model. Another system may succeed on it without
  /// contradicting ersatz.
  template <class... A>
  [[noreturn]] void not_modelled(fmt::format_string<A...> format, const A&... values) const {
    raise(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "NYI", format, fmt::make_format_args(values...));
  }
  /// Raises an error for a dtype outside `set` as PyTorch's missing kernels do: `"relu" not implemented for bool on
  /// cpu`. If `out.no_kernel` is set, the error is stored there, and the rule continues.
  void require_dtype(DType t, DTypeSet set) const;
  /// For rules that did not call require_dtype: requires that the op takes the dtype of every tensor
  /// (`OpEntry::limited_dtypes`).
  void require_limited_dtypes() const;
  /// Like require_dtype, but always raises: for checks that PyTorch makes before it looks for a kernel.
  void require_dtype_first(DType t, DTypeSet set) const;
  /// Returns a dim in [-rank, rank) as a non-negative one. Raises IndexError with the label `dim` if it is out of
  /// range. A 0-d tensor has rank 1 here.
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
