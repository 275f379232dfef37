#include "tracer/pt2/pt2_json_values.h"
#include "runtime/base/other_devices.h"

#include "runtime/base/error.h"
#include "runtime/sym/sym_number.h"
#include "runtime/tensor/layout.h"

namespace ersatz::pt2_json {

namespace {
constexpr std::pair<int64_t, MemoryFormat> kMemoryFormats[] = {{1, MemoryFormat::Contiguous},
                                                               {2, MemoryFormat::ChannelsLast},
                                                               {3, MemoryFormat::ChannelsLast3d},
                                                               {4, MemoryFormat::Preserve}};

template <class T, size_t N>
std::optional<T> of_number(const std::pair<int64_t, T> (&rows)[N], int64_t number) {
  for (const auto& [n, value] : rows) {
    if (n == number) return value;
  }
  return std::nullopt;
}

template <class T, size_t N>
int64_t number_of(const std::pair<int64_t, T> (&rows)[N], T wanted) {
  for (const auto& [n, value] : rows) {
    if (value == wanted) return n;
  }
  return 0;
}
}  // namespace

int64_t dtype_number(DType t) {
  const int64_t number = row_of(t).pt2;
  if (number == 0) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "dtype {} has no number in archives of torch.export",
         name(t));
  }
  return number;
}
int64_t memory_format_number(MemoryFormat f) { return number_of(kMemoryFormats, f); }

DType dtype(const JsonView& number) {
  const int64_t n = number.integer();
  for (int i = 0; i < kDTypeCount; ++i) {
    if (n != 0 && kDTypeRows[i].pt2 == n) return static_cast<DType>(i);
  }
  number.refuse("{} is no dtype number", n);
}

Layout layout(const JsonView& number) {
  const int64_t n = number.integer();
  if (n == kStridedNumber) return Layout::Strided;
  if (n >= 0 && n <= 6) number.refuse("layout {} is not supported (only strided tensors are)", n);
  number.refuse("{} is no layout number", n);
}

MemoryFormat memory_format(const JsonView& number) {
  if (const auto known = of_number(kMemoryFormats, number.integer())) return *known;
  number.refuse("{} is no memory format number", number.integer());
}

Device device(const JsonView& object) {
  const std::string_view type = object.at("type").string();
  const auto index = object.find("index");
  std::string text(type);
  if (index && type != "cpu" && type != "meta") text += ":" + std::to_string(index->integer());
  const auto parsed = parse_device(text);
  if (!parsed) object.refuse("device {} is not supported (cpu, cuda, meta, {} are)", text, other_device_names());
  return *parsed;
}

namespace {

/// Sets the hint of a symbol from the value of an expression that is linear in it: if `6*s53` is 12, s53 is 2.
void note_hint(SymInt v, int64_t value, ShapeEnv& env) {
  std::string symbol;
  bool one = !v.is_int();
  const auto at = [&](int64_t x) {
    return evaluate(v, [&](std::string_view name) {
      one = one && (symbol.empty() || symbol == name);
      symbol = name;
      return std::optional(x);
    });
  };
  try {
    const auto y0 = at(0), y1 = at(1), y2 = at(2);
    if (!one || !y0 || !y1 || !y2 || *y1 == *y0 || *y2 - *y1 != *y1 - *y0) return;
    const int64_t x = (value - *y0) / (*y1 - *y0);
    if (at(x) == value) env.symbol(symbol, x);
  } catch (const Error& e) {  // the expression has no value at one of the tried points
    if (e.kind == ErrorKind::InternalError) throw;
  }
}

SymInt parse_expression(const JsonView& expr, ShapeEnv* env) {
  const JsonView text = expr.at("expr_str");
  if (!env) text.refuse("a symbolic size cannot stand here: {}", text.string());
  SymInt v;
  try {
    v = env->parse(text.string());
  } catch (const Error& e) {
    text.refuse("{}", e.message);
  }
  const auto hint = expr.find("hint");
  if (!hint) return v;
  const auto [tag, payload] = hint->tagged();
  if (tag == "as_int") {
    note_hint(v, payload.integer(), *env);
  } else if (tag != "as_bool" && tag != "as_float") {
    hint->refuse("unknown kind of hint '{}'", tag);
  }
  return v;
}

}  // namespace

SymInt sym_int(const JsonView& v, ShapeEnv* env) {
  const auto [tag, payload] = v.tagged();
  if (tag == "as_int") {
    const int64_t n = payload.integer();
    if (!SymInt::holds(n)) payload.refuse("{} is too negative", n);
    return n;
  }
  if (tag == "as_expr") return parse_expression(payload, env);
  v.refuse("unknown kind of integer '{}'", tag);
}

TensorMeta tensor_meta(const JsonView& v, ShapeEnv* env) {
  TensorMeta m;
  m.dtype = dtype(v.at("dtype"));
  layout(v.at("layout"));
  m.device = resolve(device(v.at("device")));
  m.requires_grad = v.at("requires_grad").boolean();
  if (const auto conj = v.find("ersatz_conj")) m.conj = conj->boolean();
  if (const auto neg = v.find("ersatz_neg")) m.neg = neg->boolean();
  const JsonView sizes = v.at("sizes");
  const JsonView strides = v.at("strides");
  if (sizes.size() != strides.size()) v.refuse("{} sizes but {} strides", sizes.size(), strides.size());
  if (sizes.size() > 64) v.refuse("{} dimensions (64 are the most)", sizes.size());
  auto take = [env](const JsonView& item) {
    const SymInt n = sym_int(item, env);
    if (n.is_int() && n.as_int() < 0) item.refuse("{} is negative", n.as_int());
    return n;
  };
  for (size_t i = 0; i < sizes.size(); ++i) m.sizes.push_back(take(sizes.item(i)));
  for (size_t i = 0; i < strides.size(); ++i) m.strides.push_back(take(strides.item(i)));
  m.offset = take(v.at("storage_offset"));
  if (m.is_symbolic()) return m;
  try {
    m.numel();
    storage_bytes_needed(m);
  } catch (const Error& e) {
    v.refuse("sizes and strides reach beyond 64 bits: {}", e.message);
  }
  return m;
}

std::string record_text(std::string_view srepr, ShapeEnv& env) {
  constexpr std::pair<std::string_view, std::string_view> heads[] = {
      {"Equality(", " == "}, {"Unequality(", " != "},       {"StrictLessThan(", " < "},
      {"LessThan(", " <= "}, {"StrictGreaterThan(", " > "}, {"GreaterThan(", " >= "}};
  for (const auto& [head, op] : heads) {
    if (srepr.substr(0, head.size()) != head || srepr.back() != ')') continue;
    const std::string_view inside = srepr.substr(head.size(), srepr.size() - head.size() - 1);
    int depth = 0;
    for (size_t i = 0; i < inside.size(); ++i) {
      depth += (inside[i] == '(') - (inside[i] == ')');
      if (inside[i] != ',' || depth != 0) continue;
      try {
        return spelled(inside.substr(0, i), env) + std::string(op) + spelled(inside.substr(i + 1), env);
      } catch (const Error&) {
        return std::string(srepr);
      }
    }
  }
  try {
    return spelled(srepr, env);
  } catch (const Error&) {
    return std::string(srepr);
  }
}

Value sym_record(const JsonView& v, ValueKind kind, ShapeEnv& env) {
  const auto [tag, payload] = v.tagged();
  if (tag == "as_expr") {
    if (const auto spelled = payload.find("ersatz_text")) return Value(spelled->string());
  }
  if (kind == ValueKind::Int) return sym_int(v, &env);
  if (tag == "as_bool" && kind == ValueKind::Bool) return payload.boolean();
  if (tag == "as_float" && kind == ValueKind::Float) return payload.number();
  if (tag == "as_expr") return Value(record_text(payload.at("expr_str").string(), env));
  v.refuse("unknown kind of symbolic value '{}'", tag);
}

}  // namespace ersatz::pt2_json
