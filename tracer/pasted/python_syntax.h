// Parses the subset of Python in which PyTorch prints graphs and scripts of graphs.
//
// The grammar has literals, names, attributes, calls, subscripts, operators, annotated assignments and return. Nothing
// is executed. Depth and length are bounded. Other text raises InvalidArgument with the reason.
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
    Call,       ///< items[0] is the callee; keyword(i) is the name of argument items[i]
    Attribute,  ///< `.text` of items[0]; a dotted path after `torch.` is one text
    Index,      ///< items[0] at items[1]
    Slice,      ///< in an Index: begin, end, step; an absent one is the name `None`
    Unary,      ///< text: `-`, `+`, `~`, `not`
    Binary,     ///< text: `+`, `//`, `==`, `and`, ...
  };
  Kind kind = Kind::Name;
  std::string text;
  std::vector<Expr> items;
  std::vector<std::string> keywords;  ///< names of a Call's arguments; empty if all are positional
  size_t begin = 0, end = 0;          ///< its range in the statement's text

  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
  /// Returns the keyword of a Call's argument items[i], empty if it is positional.
  std::string_view keyword(size_t i) const {
    return i > 0 && i <= keywords.size() ? std::string_view(keywords[i - 1]) : std::string_view();
  }
};

/// Returns `torch.ops.aten.add` for names and attributes, `self.h.0` for `getattr(self.h, "0")`, else an empty text.
std::string dotted_name(const Expr& e);

struct PyStatement {
  std::vector<Expr> targets;  ///< in `a = b = value`, a and b
  std::string annotation;     ///< in `a: "f32[2]" = ...`, the text inside of the quotes
  bool annotated = false;
  bool returns = false;
  std::string in_place;  ///< in `a += value`, `+`
  std::optional<Expr> value;
};

/// Returns the statements of a logical line, separated by `;`, without its comment.
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
