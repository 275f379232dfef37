#include "tracer/text/python_literal.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ersatz {

namespace {

[[noreturn]] void refuse(std::string_view what) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{} cannot be written in Python", what);
}

std::string python_number(double v) {
  if (std::isnan(v)) return "float('nan')";
  if (std::isinf(v)) return v > 0 ? "float('inf')" : "-float('inf')";
  std::string text = fmt::format("{}", v);
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

template <class Items, class Spell>
std::string joined(const Items& items, const Spell& spell) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + spell(item);
  return text;
}

std::string python_integer(SymInt v) {
  if (v.is_symbolic()) refuse(fmt::format("the expression {}", v));
  return fmt::format("{}", v.as_int());
}

bool is_identifier_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string python_dtype(DType t) { return fmt::format("torch.{}", long_name(t)); }

std::string python_tuple(std::span<const SymInt> values) {
  return "(" + joined(values, python_integer) + (values.size() == 1 ? ",)" : ")");
}

std::string python_literal(const Value& v) {
  if (v.is_symbolic()) refuse(fmt::format("the expression {}", to_string(v)));
  switch (v.kind()) {
    case Value::Kind::None:
      return "None";
    case Value::Kind::Bool:
      return v.as_bool() ? "True" : "False";
    case Value::Kind::Int:
      return fmt::format("{}", v.as_int64());
    case Value::Kind::Float:
      return python_number(v.as_double());
    case Value::Kind::Complex:
      return fmt::format("complex({}, {})", python_number(v.as_complex().real()), python_number(v.as_complex().imag()));
    case Value::Kind::String:
      return nlohmann::json(v.as_string()).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    case Value::Kind::DType:
      return python_dtype(v.as_dtype());
    case Value::Kind::Device:
      return fmt::format("'{}'", to_string(v.as_device()));
    case Value::Kind::Layout:
      return "torch.strided";
    case Value::Kind::MemoryFormat: {
      const MemoryFormat f = v.as_memory_format();
      const bool suffix = f == MemoryFormat::Contiguous || f == MemoryFormat::Preserve;
      return fmt::format("torch.{}{}", name(f), suffix ? "_format" : "");
    }
    case Value::Kind::IntList:
      return "[" + joined(v.as_ints(), python_integer) + "]";
    case Value::Kind::List:
      return "[" + joined(v.as_list(), python_literal) + "]";
    default:
      refuse(fmt::format("a {}", name(v.kind())));
  }
}

std::string python_callee(std::string_view op) {
  const bool fine =
      !op.empty() && std::all_of(op.begin(), op.end(), [](char c) { return c == '.' || is_identifier_character(c); });
  if (!fine) refuse(fmt::format("the operator {}", op));
  if (op.starts_with("_operator.")) return fmt::format("operator.{}", op.substr(10));
  if (op.starts_with("torch.") || op.starts_with("math.")) return std::string(op);
  return fmt::format("torch.ops.{}", op);
}

std::string python_keyword(std::string_view name) {
  const bool fine = !name.empty() && (name[0] < '0' || name[0] > '9') &&
                    std::all_of(name.begin(), name.end(), is_identifier_character);
  if (!fine) refuse(fmt::format("the argument {}", name));
  return std::string(name);
}

std::string python_identifier(std::string_view name) {
  // Keywords of Python, and names that the printed program uses.
  constexpr std::string_view taken[] = {
      "False",  "None",     "True",   "and",     "as",      "assert", "async",    "await",   "break",
      "class",  "continue", "def",    "del",     "elif",    "else",   "except",   "for",     "from",
      "global", "if",       "import", "in",      "is",      "lambda", "not",      "or",      "pass",
      "raise",  "return",   "try",    "while",   "with",    "yield",  "nonlocal", "finally", "torch",
      "math",   "operator", "float",  "complex", "forward", "inputs", "print"};
  std::string text;
  for (const char c : name) text += is_identifier_character(c) ? c : '_';
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) text = "v" + text;
  if (std::find(std::begin(taken), std::end(taken), text) != std::end(taken)) text += "_";
  return text;
}

}  // namespace ersatz
