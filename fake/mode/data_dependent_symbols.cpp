#include "fake/mode/data_dependent_symbols.h"

#include <set>
#include <string>

#include "fake/mode/real_values.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {
namespace {

/// Returns the symbol of a memo as a bool, float or int, by the tensor's dtype.
Value value_of(SymInt word, DType dtype) {
  if (dtype == DType::Bool) return Value::truth(word);
  return is_float(dtype) ? Value::number(SymFloat::symbol(word)) : Value(word);
}

/// Sets the symbol's range to the values of an integer dtype.
void set_range(FreshSymbol& wanted, DType dtype) {
  const bool is_signed = dtype != DType::U8;
  const int bits = 8 * static_cast<int>(item_size(dtype)) - is_signed;
  wanted.min = INT64_MIN;
  if (bits >= 63) return;
  wanted.max = (int64_t(1) << bits) - 1;
  wanted.min = is_signed ? -wanted.max - 1 : 0;
}

}  // namespace

SymInt DataDependentSymbols::fresh(FreshSymbol wanted) {
  wanted.op = op_.name;
  return made_.emplace_back(env_.fresh(wanted));
}

void DataDependentSymbols::check_held(const RuleResult& rule) const {
  if (made_.empty()) return;
  std::set<std::string> held;
  const auto hold = [&](SymInt v) {
    if (v.is_int()) return;
    for (std::string& symbol : free_symbols(v)) held.insert(std::move(symbol));
  };
  for (const OutputSpec& o : rule.outputs) {
    for (SymInt size : o.meta.sizes) hold(size);
    for (SymInt stride : o.meta.strides) hold(stride);
    hold(o.meta.offset);
    if (o.number.is_symbolic())
      hold(o.number.kind() == Value::Kind::Float ? o.number.as_sym_float().word() : o.number.as_int());
  }
  for (const SymInt symbol : made_)
    ERSATZ_ASSERT(held.contains(to_string(symbol)), "{}: the rule asked for {}, and no output holds it", op_.name,
                  symbol);
}

std::optional<SymInt> DataDependentSymbols::size(const SizeOfData& wanted) {
  asked_ = true;
  if (wanted.max.is_identical(wanted.min)) return wanted.max;
  if (!env_.settings.allow_dynamic_output_shapes) return std::nullopt;
  const bool remembers = wanted.memo != MemoSlot::None;
  if (remembers)
    if (const std::optional<SymInt> known = memo_of(*wanted.of, wanted.memo, mode_.epoch())) return known;
  FreshSymbol symbol{.min = wanted.min};
  if (wanted.max.is_int() && wanted.max.as_int() > 2) symbol.max = wanted.max.as_int();
  const SymInt made = fresh(symbol);
  const SymCondition bound{SymCompare::Le, made, wanted.max};
  if (wanted.max.is_symbolic() && !env_.statically(bound)) env_.add_fact(bound, op_.name);
  if (remembers) set_memo(*wanted.of, wanted.memo, mode_.epoch(), made);
  return made;
}

std::optional<Value> DataDependentSymbols::number(TensorImpl* of) {
  asked_ = true;
  const DType dtype = of->meta.dtype;
  if (const std::optional<SymInt> known = memo_of(*of, MemoSlot::Item, mode_.epoch())) return value_of(*known, dtype);
  if (!env_.settings.allow_scalar_outputs && !mode_.options.allow_scalar_outputs) return std::nullopt;
  SymInt word;
  if (dtype == DType::Bool) {
    word = truth_of({SymCompare::Eq, fresh({.max = 1}), 1});
  } else if (is_float(dtype)) {
    // No size depends on a float, so if there is a real value, it is used instead of a symbol.
    if (mode_.reals && RealValues::of(of)) return std::nullopt;
    word = fresh({.prefix = "zuf", .min = INT64_MIN});
  } else if (is_integer(dtype)) {
    FreshSymbol wanted;
    set_range(wanted, dtype);
    word = fresh(wanted);
  } else {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "local_scalar_dense/item NYI for {}", name(dtype));
  }
  set_memo(*of, MemoSlot::Item, mode_.epoch(), word);
  return value_of(word, dtype);
}

}  // namespace ersatz
