#include "runtime/plugin/plugin_signature.h"

#include "runtime/base/count_text.h"
#include "runtime/base/error.h"

namespace ersatz {

namespace {

constexpr size_t kLongest = 65536;

bool fits_base(std::string_view word, BaseType base) {
  switch (base) {
    case BaseType::Tensor:
      return word == "Tensor";
    case BaseType::Int:
    case BaseType::SymInt:
      return word == "int";
    case BaseType::Float:
      return word == "float";
    case BaseType::Bool:
    case BaseType::SymBool:
      return word == "bool";
    case BaseType::String:
      return word == "str";
    case BaseType::Scalar:
      return word == "float" || word == "int" || word == "bool";
    default:
      return true;  // dtypes, layouts and others have no C++ type of their own in plugin_op.h, so any type is accepted
  }
}

bool drop(std::string_view& word, std::string_view ending) {
  if (!word.ends_with(ending)) return false;
  word.remove_suffix(ending.size());
  return true;
}

/// Returns whether the parameter type `word` accepts the schema type, of whose wrappers (list, Optional) only the first
/// `wraps` count. A type that also accepts None (`Tensor?`) fits a schema type without None.
bool fits(std::string_view word, const SchemaType& type, size_t wraps) {
  const bool takes_none = drop(word, "?");
  if (wraps == 0) return fits_base(word, type.base);
  if (type.wraps[wraps - 1].kind == SchemaType::Wrap::Kind::Optional) return takes_none && fits(word, type, wraps - 1);
  return drop(word, "[]") && fits(word, type, wraps - 1);
}
bool fits(std::string_view word, const SchemaType& type) { return fits(word, type, type.wraps.size()); }

/// Returns whether the return type `word` fits the schema's. Optional is ignored, because a C++ result type has no
/// Optional.
bool gives(std::string_view word, SchemaType type) {
  std::erase_if(type.wraps, [](const SchemaType::Wrap& w) { return w.kind == SchemaType::Wrap::Kind::Optional; });
  return fits(word, type);
}

/// Removes a list like `(Tensor, float?)` from the front of `text` and returns its items.
std::vector<std::string_view> take_list(std::string_view& text, std::string_view whole) {
  const size_t end = text.find(')');
  if (!text.starts_with('(') || end == text.npos) fail_argument("'{}' is no signature", whole);
  std::string_view inside = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  std::vector<std::string_view> words;
  while (!inside.empty()) {
    const size_t comma = inside.find(", ");
    words.push_back(inside.substr(0, comma));
    inside.remove_prefix(comma == inside.npos ? inside.size() : comma + 2);
  }
  return words;
}

}  // namespace

std::string signature_misfit(const FunctionSchema& schema, std::string_view function, std::string_view signature) {
  if (signature.size() > kLongest) fail_argument("the signature of its {} is longer than {}", function, kLongest);
  std::string_view rest = signature;
  const std::vector<std::string_view> takes = take_list(rest, signature);
  if (!rest.starts_with(" -> ")) fail_argument("'{}' is no signature", signature);
  rest.remove_prefix(4);
  const std::vector<std::string_view> returns = take_list(rest, signature);
  if (takes.size() != schema.arguments.size()) {
    return fmt::format("the {} of {} takes {}, its schema has {}: {}", function, schema.qualified_name(),
                       count_of(static_cast<int64_t>(takes.size()), "argument"), schema.arguments.size(),
                       to_string(schema));
  }
  if (returns.size() != schema.returns.size()) {
    return fmt::format("the {} of {} gives {}, its schema has {}: {}", function, schema.qualified_name(),
                       count_of(static_cast<int64_t>(returns.size()), "result"), schema.returns.size(),
                       to_string(schema));
  }
  for (size_t i = 0; i < takes.size(); ++i) {
    const Argument& a = schema.arguments[i];
    if (fits(takes[i], a.type)) continue;
    return fmt::format("the {} of {} takes {} as argument {} ('{}'), its schema says {}: {}", function,
                       schema.qualified_name(), takes[i], i, a.name, to_string(a.type), to_string(schema));
  }
  for (size_t i = 0; i < returns.size(); ++i) {
    if (gives(returns[i], schema.returns[i].type)) continue;
    return fmt::format("the {} of {} gives {} as result {}, its schema says {}: {}", function, schema.qualified_name(),
                       returns[i], i, to_string(schema.returns[i].type), to_string(schema));
  }
  return "";
}

}  // namespace ersatz
