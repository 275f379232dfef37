// Parses the subset of Python in which PyTorch prints graphs and scripts with graphs.
//
// The grammar has literals, names, attributes, calls, subscripts, operators, annotated assignments and return. Nothing
// is executed. Depth and length are limited. Any other text raises InvalidArgument with the reason.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::pasted {

struct Expr {
  enum class Kind : uint8_t {
    Name,       ///< text: the name, like `x`, `None`, `True`
    Int,        ///< text: its digits
    Float,      ///< text: the number as it is written
    String,     ///< text: the string without quotes and escapes
    Tuple,      ///< items
    List,       ///< items
    Dict,       ///< items: key, value, key, value, ...
    Call,       ///< items[0] is the callee; keyword(i) is the name of argument items[i]
    Attribute,  ///< items[0] is the object, text is the attribute; a dotted path after `torch.` is one text
    Index,      ///< items[0] is the object, items[1] the subscript
    Slice,      ///< only in an Index; items: begin, end, step; an absent item is the name `None`
    Unary,      ///< text: the operator, one of `-`, `+`, `~`, `not`
    Binary,     ///< text: the operator: `+`, `//`, `==`, `and`, ...
  };
  Kind kind = Kind::Name;
  std::string text;
  std::vector<Expr> items;
  std::vector<std::string> keywords;  ///< names of a Call's keyword arguments; empty if all arguments are positional
  size_t begin = 0, end = 0;          ///< range of the expression in the statement's text

  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
  /// Returns the keyword of a Call's argument items[i]; empty if the argument is positional.
  std::string_view keyword(size_t i) const {
    return i > 0 && i <= keywords.size() ? std::string_view(keywords[i - 1]) : std::string_view();
  }
};

/// Returns the dotted name of an expression: `torch.ops.aten.add` for names and attributes, `self.h.0` for
/// `getattr(self.h, "0")`; else empty.
std::string dotted_name(const Expr& e);

struct PyStatement {
  std::vector<Expr> targets;  ///< a and b in `a = b = value`
  std::string annotation;     ///< the text inside the quotes in `a: "f32[2]" = ...`
  bool annotated = false;
  bool returns = false;
  std::string in_place;  ///< the operator `+` in `a += value`
  std::optional<Expr> value;
};

/// Parses the statements of one logical line, separated by `;`. The comment is dropped.
std::vector<PyStatement> parse_statements(std::string_view line);

struct PyParameter {
  std::string name, annotation;
};
struct PySignature {
  std::string name;
  std::vector<PyParameter> parameters;
};
/// Parses `def forward(self, x: "f32[2]", y):`.
PySignature parse_signature(std::string_view line);

}  // namespace ersatz::pasted
