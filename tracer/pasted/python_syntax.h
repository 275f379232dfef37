// Statements of printed Python, as far as PyTorch prints graphs and scripts of graphs in it.
//
// A grammar of its own: literals, names, attributes, calls, subscripts, operators, annotated assignments, return.
// Nothing is run, and nothing but text comes out. Depth and length are bounded; anything else is an
// InvalidArgument with the reason.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::pasted {

struct Expr {
  enum class Kind : uint8_t {
    Name,       ///< `x`, `None`, `True`
    Int,        ///< text: its digits
    Float,      ///< text: as written
    String,     ///< text: without quotes and escapes
    Tuple,      ///< items
    List,       ///< items
    Dict,       ///< items: key, value, key, value
    Call,       ///< items[0] called with the others; keyword(i) names items[i]
    Attribute,  ///< `.text` of items[0]; all names behind `torch.` are one text
    Index,      ///< items[0] at items[1]
    Slice,      ///< of an index: begin, end, step, each `None` where it is absent
    Unary,      ///< text: `-`, `+`, `~`, `not`
    Binary,     ///< text: `+`, `//`, `==`, `and`, ...
  };
  Kind kind = Kind::Name;
  std::string text;
  std::vector<Expr> items;
  std::vector<std::string> keywords;  ///< of a Call with any; else empty
  size_t begin = 0, end = 0;          ///< its place in the statement's text

  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
  /// The name of a Call's argument items[i]; empty where it has none.
  std::string_view keyword(size_t i) const {
    return i > 0 && i <= keywords.size() ? std::string_view(keywords[i - 1]) : std::string_view();
  }
};

/// `torch.ops.aten.add` of names and attributes, and `self.h.0` of `getattr(self.h, "0")`; empty for anything else.
std::string dotted_name(const Expr& e);

struct PyStatement {
  std::vector<Expr> targets;  ///< of `a = b = value` both
  std::string annotation;     ///< of `a: "f32[2]" = ...`, what the quotes hold
  bool annotated = false;
  bool returns = false;
  std::string in_place;  ///< of `a += value`: `+`
  std::optional<Expr> value;
};

/// The statements of one logical line, which `;` parts; its comment is left out.
std::vector<PyStatement> parse_statements(std::string_view line);

struct PyParameter {
  std::string name, annotation;
};
struct PySignature {
  std::string name;
  std::vector<PyParameter> parameters;
};
/// `def forward(self, x: "f32[2]", y):`
PySignature parse_signature(std::string_view line);

}  // namespace ersatz::pasted
