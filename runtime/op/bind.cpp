// Binds boxed arguments to a schema: checks and converts each value for its type, and fills in defaults.
#include "runtime/op/schema.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {

namespace {

using Kind = Value::Kind;

bool take_int(const SchemaType& type, Value& v) {
  if (v.kind() == Kind::Bool) return v = Value(v.as_int()), true;
  // The argument `int? dtype` of `to.prim_dtype` and similar overloads accepts a dtype.
  return v.kind() == Kind::Int || (v.kind() == Kind::DType && type.is_optional());
}

bool take_float(Value& v) {
  if (v.kind() == Kind::Bool || v.kind() == Kind::Int) return v = Value::number(v.as_sym_float()), true;
  return v.kind() == Kind::Float;
}

bool take_bool(Value& v) {
  if (v.is_symbolic_int()) return v = Value::truth(truth_of({SymCompare::Ne, v.as_int(), 0})), true;
  if (v.kind() == Kind::Int) return v = Value(v.as_int64() != 0), true;
  return v.kind() == Kind::Bool;
}

bool take_dtype(Value& v) {
  if (v.kind() == Kind::Int && !v.is_symbolic_int()) {
    auto dtype = dtype_of_c10(v.as_int64());
    if (dtype) v = Value(*dtype);
    return dtype.has_value();
  }
  return v.kind() == Kind::DType;
}

bool take_memory_format(Value& v) {
  if (v.kind() == Kind::Int && !v.is_symbolic_int()) {
    int64_t n = v.as_int64();  // MemoryFormat has the numbers of c10's enum
    if (n < 0 || n > static_cast<int64_t>(MemoryFormat::ChannelsLast3d)) return false;
    return v = Value(static_cast<MemoryFormat>(n)), true;
  }
  return v.kind() == Kind::MemoryFormat;
}

bool take_device(Value& v) {
  if (v.kind() == Kind::String) {
    auto device = parse_device(v.as_string());
    if (device) v = Value(*device);
    return device.has_value();
  }
  return v.kind() == Kind::Device;
}

/// Is `v` a value of the type without its wrappers (`?` and `[]`)? Converts `v` in place if necessary.
bool take_base(const SchemaType& type, Value& v) {
  switch (type.base) {
    case BaseType::Tensor:
      return v.is_tensor() || v.is_number();
    case BaseType::Int:
    case BaseType::SymInt:
      return take_int(type, v);
    case BaseType::Float:
      return take_float(v);
    case BaseType::Bool:
    case BaseType::SymBool:
      return take_bool(v);
    case BaseType::Scalar:
      return v.is_number();
    case BaseType::String:
    case BaseType::Dimname:
      return v.kind() == Kind::String;
    case BaseType::ScalarType:
      return take_dtype(v);
    case BaseType::Layout:
      if (v == Value(int64_t(0))) v = Value(Layout::Strided);
      return v.kind() == Kind::Layout;
    case BaseType::Device:
      return take_device(v);
    case BaseType::MemoryFormat:
      return take_memory_format(v);
    case BaseType::Generator:
      return v.kind() == Kind::Generator;
    case BaseType::Storage:
    case BaseType::Stream:
      return false;
    case BaseType::Any:
      return true;
  }
  return false;
}

bool take_wrapped(const SchemaType& type, size_t wraps, Value& v);

/// Replaces one value by a list of fixed size, for example the 1 of `int[2] padding=1`. Only elements that are single
/// values are repeated.
bool spread(const SchemaType& type, size_t wraps, Value& v) {
  int n = type.wraps[wraps - 1].fixed_size;
  if (n < 0 || type.base == BaseType::Tensor || !take_wrapped(type, wraps - 1, v)) return false;
  if (v.kind() == Kind::Int) {
    DimVec copies(static_cast<size_t>(n), v.as_int());
    v = Value(copies);
  } else {
    std::vector<Value> copies(static_cast<size_t>(n), v);
    v = Value::list(copies);
  }
  return true;
}

bool take_int_list(const SchemaType& type, size_t wraps, Value& v) {
  if (v.kind() != Kind::List) return false;
  DimVec ints;
  for (const Value& item : v.as_list()) {
    Value copy = item;
    if (!take_wrapped(type, wraps - 1, copy) || copy.kind() != Kind::Int) return false;
    ints.push_back(copy.as_int());
  }
  v = Value(ints);
  return true;
}

bool all_tensors(std::span<const Value> items) {
  for (const Value& v : items) {
    if (!v.is_tensor()) return false;
  }
  return true;
}

/// Does `length` fit the list type? The N of `int[N]` is only a hint, but `bool[N]` must have exactly N elements.
bool has_length(const SchemaType& type, size_t wraps, size_t length) {
  const int size = type.wraps[wraps - 1].fixed_size;
  return type.base != BaseType::Bool || size < 0 || length == static_cast<size_t>(size);
}

bool take_list(const SchemaType& type, size_t wraps, Value& v) {
  bool is_int = (type.base == BaseType::Int || type.base == BaseType::SymInt) && wraps == 1;
  if (v.kind() == Kind::IntList) {
    if (is_int) return true;
    std::span<const SymInt> ints = v.as_ints();
    std::vector<Value> items(ints.begin(), ints.end());
    v = Value::list(items);
  } else if (v.kind() != Kind::List) {
    return spread(type, wraps, v);
  }
  if (is_int) return take_int_list(type, wraps, v);
  std::span<const Value> items = v.as_list();
  if (!has_length(type, wraps, items.size())) return false;
  if (type.base == BaseType::Tensor && wraps == 1 && all_tensors(items)) return true;
  std::vector<Value> converted;
  for (size_t i = 0; i < items.size(); ++i) {
    Value item = items[i];
    // A number is accepted as a Tensor argument, but not as an element of a tensor list.
    if (type.base == BaseType::Tensor && item.is_number()) return false;
    if (!take_wrapped(type, wraps - 1, item)) return false;
    bool is_same = item.kind() == items[i].kind() && item.kind() != Kind::List;
    if (converted.empty() && is_same) continue;  // no item was converted yet, so no copy is needed
    if (converted.empty()) converted.assign(items.begin(), items.begin() + static_cast<ptrdiff_t>(i));
    converted.push_back(std::move(item));
  }
  if (!converted.empty()) v = Value::list(converted);
  return true;
}

/// Is `v` a value of the type with its first `wraps` wrappers? Converts `v` in place if necessary.
bool take_wrapped(const SchemaType& type, size_t wraps, Value& v) {
  if (wraps == 0) return take_base(type, v);
  if (type.wraps[wraps - 1].kind == SchemaType::Wrap::Kind::List) return take_list(type, wraps, v);
  return v.is_none() || take_wrapped(type, wraps - 1, v);
}

[[noreturn]] void refuse(const FunctionSchema& schema, int argument, std::string text,
                         ErrorFamily family = ErrorFamily::Type) {
  Error error(ErrorKind::InvalidArgument, family, schema.base + ": " + std::move(text));
  error.op = schema.base;
  error.argument = argument;
  throw error;
}

std::string describe(const Value& value) {
  std::string text = to_string(value);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return fmt::format("{} ({})", text, name(value.kind()));
}

[[noreturn]] void refuse_type(const FunctionSchema& schema, size_t index, const Value& value) {
  const Argument& a = schema.arguments[index];
  if (value.kind() == Value::Kind::List && a.type.is_list() && !has_length(a.type, 1, value.as_list().size())) {
    refuse(schema, static_cast<int>(index),
           fmt::format("argument {} must have {} elements, not {}", a.name, a.type.fixed_size(), describe(value)),
           ErrorFamily::Runtime);
  }
  refuse(schema, static_cast<int>(index),
         fmt::format("argument {} must be {}, not {}", a.name, to_string(a.type), describe(value)));
}

size_t positional_limit(const FunctionSchema& schema) {
  size_t n = 0;
  while (n < schema.arguments.size() && !schema.arguments[n].keyword_only) ++n;
  return n;
}

void bind_keywords(const FunctionSchema& schema, std::span<const std::pair<std::string, Value>> keywords,
                   std::vector<Value>& bound, std::vector<bool>& given) {
  for (const auto& [key, value] : keywords) {
    int i = schema.find_argument(key);
    if (i < 0) refuse(schema, -1, fmt::format("there is no argument {}: {}", key, to_string(schema)));
    size_t at = static_cast<size_t>(i);
    if (given[at]) refuse(schema, i, fmt::format("argument {} is given twice", key));
    bound[at] = value;
    given[at] = true;
    check_argument(schema, at, bound[at]);
  }
}

}  // namespace

bool convert_value(const SchemaType& type, Value& value) { return take_wrapped(type, type.wraps.size(), value); }

void check_argument(const FunctionSchema& schema, size_t index, Value& value) {
  const Argument& a = schema.arguments[index];
  if (a.is_ready(value.kind())) [[likely]]
    return;
  if (!convert_value(a.type, value)) refuse_type(schema, index, value);
}

std::vector<Value> bind_arguments(const FunctionSchema& schema, std::span<const Value> positional,
                                  std::span<const std::pair<std::string, Value>> keywords) {
  size_t n = schema.arguments.size();
  std::vector<Value> bound;
  bound.reserve(n);
  if (positional.size() > n) {
    refuse(schema, -1, fmt::format("takes {} arguments, {} were given: {}", n, positional.size(), to_string(schema)));
  }
  bound.assign(positional.begin(), positional.end());
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!schema.arguments[i].is_ready(bound[i].kind())) check_argument(schema, i, bound[i]);
  }
  if (bound.size() == n && keywords.empty()) return bound;

  if (positional.size() < n || !keywords.empty()) {
    size_t limit = positional_limit(schema);
    if (positional.size() > limit) {
      refuse(schema, static_cast<int>(limit),
             fmt::format("takes {} positional arguments, {} were given ({} is keyword-only)", limit, positional.size(),
                         schema.arguments[limit].name));
    }
  }
  bound.resize(n);
  std::vector<bool> given(n);
  std::fill(given.begin(), given.begin() + static_cast<ptrdiff_t>(positional.size()), true);
  bind_keywords(schema, keywords, bound, given);
  for (size_t i = 0; i < n; ++i) {
    if (given[i]) continue;
    const Argument& a = schema.arguments[i];
    if (!a.default_value) refuse(schema, static_cast<int>(i), fmt::format("argument {} is missing", a.name));
    bound[i] = *a.default_value;
  }
  return bound;
}

}  // namespace ersatz
