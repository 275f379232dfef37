// Queries of a parsed schema, and its printer. The parser is schema_parse.cpp.
#include "runtime/op/schema.h"

namespace ersatz {

namespace {

std::string_view base_name(BaseType t) {
  switch (t) {
    case BaseType::Tensor:
      return "Tensor";
    case BaseType::Int:
      return "int";
    case BaseType::SymInt:
      return "SymInt";
    case BaseType::Float:
      return "float";
    case BaseType::Bool:
      return "bool";
    case BaseType::Scalar:
      return "Scalar";
    case BaseType::String:
      return "str";
    case BaseType::ScalarType:
      return "ScalarType";
    case BaseType::Layout:
      return "Layout";
    case BaseType::Device:
      return "Device";
    case BaseType::MemoryFormat:
      return "MemoryFormat";
    case BaseType::Generator:
      return "Generator";
    case BaseType::Dimname:
      return "Dimname";
    case BaseType::Storage:
      return "Storage";
    case BaseType::Stream:
      return "Stream";
    case BaseType::SymBool:
      return "SymBool";
    case BaseType::Any:
      return "Any";
  }
  return "?";
}

void append_sets(std::string& out, const std::vector<std::string>& sets) {
  for (size_t i = 0; i < sets.size(); ++i) {
    if (i) out += '|';
    out += sets[i];
  }
}

void append_type(std::string& out, const SchemaType& type, const std::optional<AliasInfo>& alias) {
  out += base_name(type.base);
  if (alias) {
    out += '(';
    append_sets(out, alias->before);
    if (alias->is_write) out += '!';
    if (alias->has_arrow) {
      out += " -> ";
      append_sets(out, alias->after);
    }
    out += ')';
  }
  for (const SchemaType::Wrap& w : type.wraps) {
    if (w.kind == SchemaType::Wrap::Kind::Optional) {
      out += '?';
    } else if (w.fixed_size >= 0) {
      out += fmt::format("[{}]", w.fixed_size);
    } else {
      out += "[]";
    }
  }
}

void append_argument(std::string& out, const Argument& a) {
  append_type(out, a.type, a.alias);
  if (!a.name.empty()) {
    out += ' ';
    out += a.name;
  }
  if (a.default_value) {
    out += '=';
    out += a.default_text;
  }
}

}  // namespace

bool SchemaType::is_optional() const { return !wraps.empty() && wraps.back().kind == Wrap::Kind::Optional; }

bool SchemaType::is_list() const {
  if (wraps.empty()) return false;
  if (wraps.back().kind == Wrap::Kind::List) return true;
  return wraps.size() > 1 && wraps[wraps.size() - 2].kind == Wrap::Kind::List;
}

bool SchemaType::element_optional() const {
  return wraps.size() > 1 && wraps[0].kind == Wrap::Kind::Optional && wraps[1].kind == Wrap::Kind::List;
}

int SchemaType::fixed_size() const {
  for (auto w = wraps.rbegin(); w != wraps.rend(); ++w) {
    if (w->kind == Wrap::Kind::List) return w->fixed_size;
  }
  return -1;
}

std::string FunctionSchema::qualified_name() const {
  return fmt::format("{}.{}.{}", ns, base, overload.empty() ? "default" : overload);
}

int FunctionSchema::find_argument(std::string_view name) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool FunctionSchema::is_mutable() const {
  for (const Argument& a : arguments) {
    if (a.is_write()) return true;
  }
  return false;
}

std::string to_string(const SchemaType& type) {
  std::string out;
  append_type(out, type, std::nullopt);
  return out;
}

std::string to_string(const FunctionSchema& schema) {
  std::string out = schema.ns + "::" + schema.base;
  if (!schema.overload.empty()) out += "." + schema.overload;
  out += '(';
  bool keyword_only = false;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (i) out += ", ";
    if (schema.arguments[i].keyword_only && !keyword_only) {
      keyword_only = true;
      out += "*, ";
    }
    append_argument(out, schema.arguments[i]);
  }
  out += ") -> ";
  bool parentheses = schema.returns.size() != 1 || schema.returns_in_parentheses;
  if (parentheses) out += '(';
  for (size_t i = 0; i < schema.returns.size(); ++i) {
    if (i) out += ", ";
    append_argument(out, schema.returns[i]);
  }
  if (parentheses) out += ')';
  return out;
}

std::string canonical_op_name(std::string_view spelling) {
  constexpr std::string_view prefix = "torch.ops.";
  bool has_namespace = spelling.starts_with(prefix);
  if (has_namespace) spelling.remove_prefix(prefix.size());
  size_t colons = spelling.find("::");
  has_namespace |= colons != std::string_view::npos;
  std::string name(spelling.substr(0, colons));
  if (colons != std::string_view::npos) {
    name += '.';
    name += spelling.substr(colons + 2);
  }
  size_t first = name.find('.');
  if (first == std::string::npos || name.find('.', first + 1) != std::string::npos) return name;
  // A name of two parts is `ns.base`, or `base.overload` without a namespace. Overloads that users write without a
  // namespace begin with a capital (`Tensor`, `Scalar`). Names of ops never do.
  std::string_view second = std::string_view(name).substr(first + 1);
  bool is_overload = second == "default" || (!second.empty() && second[0] >= 'A' && second[0] <= 'Z');
  return has_namespace || !is_overload ? name + ".default" : name;
}

}  // namespace ersatz
