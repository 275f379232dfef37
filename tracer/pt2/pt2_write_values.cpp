#include "tracer/pt2/pt2_write_values.h"
#include "runtime/base/other_devices.h"

#include "runtime/base/error.h"
#include "runtime/sym/sym_number.h"
#include "runtime/sym/sym_value.h"
#include "tracer/archive/json_text.h"
#include "tracer/pt2/pt2_json_values.h"

namespace ersatz::pt2_text {

using namespace json_text;
using pt2_json::dtype_number;
using pt2_json::kStridedNumber;
using pt2_json::record_text;

std::string device_text(Device d) {
  const bool numbered = is_other(d) || (d.is_cuda() && d.index >= 0);
  return object({{"type", text(device_name(d))}, {"index", numbered ? std::to_string(device_number(d)) : "null"}});
}

ValueWriter::ValueWriter(const ShapeEnv& env) : symbols_(env.symbols()) {}

std::string ValueWriter::sym_int(SymInt v) {
  if (v.is_int()) return object({{"as_int", std::to_string(v.as_int())}});
  std::optional<int64_t> hint;
  try {
    hint = value_at_hints(v);
  } catch (const Error& e) {  // a division by zero: the expression has no value at the hints
    if (e.kind == ErrorKind::InternalError) throw;
  }
  if (hint && is_bare_symbol(v)) shown_.insert(to_string(v));
  const std::string shown = hint ? object({{"as_int", std::to_string(*hint)}}) : "null";
  return object({{"as_expr", object({{"expr_str", text(srepr(v))}, {"hint", shown}})}});
}

std::string ValueWriter::tensor_meta(const TensorMeta& meta, std::string_view alias) {
  const auto sizes = [this](const DimVec& v) {
    std::vector<std::string> items;
    for (const SymInt s : v) items.push_back(sym_int(s));
    return list(items);
  };
  Members members{{"dtype", std::to_string(dtype_number(meta.dtype))},
                  {"sizes", sizes(meta.sizes)},
                  {"requires_grad", boolean(meta.requires_grad)},
                  {"device", device_text(meta.device)},
                  {"strides", sizes(meta.strides)},
                  {"storage_offset", sym_int(meta.offset)},
                  {"layout", std::to_string(kStridedNumber)}};
  if (meta.conj) members.emplace_back("ersatz_conj", "true");
  if (meta.neg) members.emplace_back("ersatz_neg", "true");
  if (!alias.empty()) members.emplace_back("ersatz_alias", text(alias));
  return object(members);
}

std::string ValueWriter::sym_record(const Value& record, ValueKind kind) {
  if (record.kind() == Value::Kind::String) return expression_record(record.as_string(), kind);
  switch (kind) {
    case ValueKind::Int:
      if (record.is_symbolic_int() || SymInt::holds(record.as_int64())) return sym_int(record.as_int());
      fail_unwritable("{} is too negative for a size", record.as_int64());
    case ValueKind::Float:
      return object({{"as_float", number(record.as_double())}});
    default:
      return object({{"as_bool", boolean(record.as_bool())}});
  }
}

/// Returns the JSON of an expression. The parser normalizes expressions. If that would change the text, the JSON has
/// the original text too.
std::string ValueWriter::expression_record(std::string_view spelled, ValueKind kind) {
  ShapeEnv env;
  std::string written;
  try {
    for (const SymbolInfo& s : symbols_) env.symbol(s);
    if (kind == ValueKind::Float) {
      const SymFloat v = SymFloat::parse(spelled, env);
      written = v.is_number() ? fmt::format("Float('{}', precision=53)", v.text()) : srepr(v.word());
    } else {
      const SymInt v = env.parse(spelled);
      written = v.is_int() && kind == ValueKind::Bool ? (v.as_int() ? "true" : "false") : srepr(v);
    }
  } catch (const Error& e) {
    fail_unwritable("its record is no expression: {}", e.message);
  }
  Members members{{"expr_str", text(written)}, {"hint", "null"}};
  const bool same = kind != ValueKind::Int && record_text(written, env) == spelled;
  if (!same || env.symbols().size() != symbols_.size()) members.emplace_back("ersatz_text", text(spelled));
  return object({{"as_expr", object(members)}});
}

}  // namespace ersatz::pt2_text
