// The literal spelling of boxed values, which `parse_literal` can parse.
#include "runtime/base/float_text.h"
#include "runtime/op/value.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

std::string complex_text(std::complex<double> z) {
  std::string im = std::isnan(z.imag()) ? "nan" : fmt::format("{}", z.imag());
  return fmt::format("({}{}{}j)", std::isnan(z.real()) ? "nan" : fmt::format("{}", z.real()), im[0] == '-' ? "" : "+",
                     im);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Returns the text without its outer parentheses: the caller adds a call's parentheses, as in `bool(s0<=4)`.
std::string_view bare(std::string_view text) {
  if (text.front() != '(') return text;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0) return i + 1 == text.size() ? text.substr(1, i - 1) : text;
  }
  return text;
}

template <class Items, class Text>
std::string list_text(const Items& items, Text&& text) {
  std::string out = "[";
  for (size_t i = 0; i < items.size(); ++i) {
    if (i) out += ", ";
    out += text(items[i]);
  }
  return out + ']';
}

}  // namespace

std::string_view name(Value::Kind k) {
  switch (k) {
    case Value::Kind::None:
      return "None";
    case Value::Kind::Tensor:
      return "Tensor";
    case Value::Kind::Bool:
      return "bool";
    case Value::Kind::Int:
      return "int";
    case Value::Kind::Float:
      return "float";
    case Value::Kind::Complex:
      return "complex";
    case Value::Kind::String:
      return "str";
    case Value::Kind::IntList:
      return "int list";
    case Value::Kind::List:
      return "list";
    case Value::Kind::DType:
      return "dtype";
    case Value::Kind::Device:
      return "device";
    case Value::Kind::Layout:
      return "layout";
    case Value::Kind::MemoryFormat:
      return "memory format";
    case Value::Kind::Generator:
      return "generator";
  }
  return "?";
}

std::string to_string(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::None:
      return "None";
    case Value::Kind::Tensor:
      return to_string(v.tensor_impl()->meta, MetaStyle::Full);
    case Value::Kind::Bool:
      if (v.is_symbolic()) return fmt::format("bool({})", bare(to_string(v.as_int())));
      return v.as_bool() ? "True" : "False";
    case Value::Kind::Int:
      return v.is_symbolic_int() ? to_string(v.as_int()) : std::to_string(v.as_int64());
    case Value::Kind::Float:
      if (v.is_symbolic()) return fmt::format("float({})", v.as_sym_float().text());
      return float_text(v.as_double());
    case Value::Kind::Complex:
      return complex_text(v.as_complex());
    case Value::Kind::String:
      return quoted(v.as_string());
    case Value::Kind::IntList:
      return list_text(v.as_ints(), [](SymInt i) { return to_string(i); });
    case Value::Kind::List:
      return list_text(v.as_list(), [](const Value& item) { return to_string(item); });
    case Value::Kind::DType:
      return std::string(name(v.as_dtype()));
    case Value::Kind::Device:
      return to_string(v.as_device());
    case Value::Kind::Layout:
      return "strided";
    case Value::Kind::MemoryFormat:
      return std::string(name(v.as_memory_format()));
    case Value::Kind::Generator:
      return "generator";
  }
  return "?";
}

}  // namespace ersatz
