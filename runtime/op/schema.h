// Operator schemas in ATen's schema language, parsed to data. The printer returns the identical text.
//
//   aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
//
// The parser accepts defaults, optionals (`Tensor?`), lists (`Tensor[]`, `int[2]`, `Tensor?[]`, `int[]?`), keyword-only
// arguments, and multiple, named and `()` returns. It accepts the alias annotations `(a)`, `(a!)`, `(a -> *)`, `(b|a)`
// and `(a|b!)`, which fake mode, crosscheck and the tracer use. A schema is immutable once parsed. The text is not
// trusted: its lengths are bounded, and an error is an InvalidArgument with the position.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

enum class BaseType : uint8_t {
  Tensor,
  Int,
  SymInt,
  Float,
  Bool,
  Scalar,
  String,
  ScalarType,
  Layout,
  Device,
  MemoryFormat,
  Generator,
  Dimname,
  Storage,
  Stream,
  SymBool,
  Any
};

/// A type: a base type with wrappers, the innermost first. `Tensor?[]` is List(Optional(Tensor)).
struct SchemaType {
  struct Wrap {
    enum class Kind : uint8_t { Optional, List } kind;
    int fixed_size = -1;  ///< N of `int[N]`; -1 for a list of any length
    bool operator==(const Wrap&) const = default;
  };
  BaseType base = BaseType::Tensor;
  std::vector<Wrap> wraps;

  bool is_list() const;           ///< is `T[]` or `T[]?`
  bool is_optional() const;       ///< the outermost wrapper is Optional
  bool element_optional() const;  ///< is `T?[]`
  int fixed_size() const;         ///< N of `int[N]`; -1 for a list of any length
  bool operator==(const SchemaType&) const = default;
};

/// An alias annotation `(a)`, `(a!)`, `(a! -> b)` or `(a -> *)`: the memory that an argument or return may share, and
/// whether the op writes it.
struct AliasInfo {
  std::vector<std::string> before;  ///< the alias sets before `->`
  std::vector<std::string> after;   ///< the alias sets after `->`; equal to `before` if there is no `->`
  bool is_write = false;
  bool has_arrow = false;
  bool operator==(const AliasInfo&) const = default;
};

struct Argument {
  std::string name;  ///< empty for an unnamed return
  SchemaType type;
  std::optional<AliasInfo> alias;
  std::optional<Value> default_value;
  std::string default_text;  ///< the default as written, for printing
  bool keyword_only = false;
  /// one bit per Value::Kind that the type accepts without conversion; check_argument checks all other kinds
  uint32_t ready_kinds = 0;

  bool is_ready(Value::Kind k) const { return ready_kinds >> static_cast<int>(k) & 1; }
  bool is_write() const { return alias && alias->is_write; }
};

struct FunctionSchema {
  std::string ns;        ///< `aten`
  std::string base;      ///< `add_`
  std::string overload;  ///< `Tensor`; empty for the default one
  std::vector<Argument> arguments;
  std::vector<Argument> returns;
  bool returns_in_parentheses = false;  ///< a single return was written in parentheses

  /// Returns `aten.add_.Tensor`, `aten.t.default`.
  std::string qualified_name() const;
  int find_argument(std::string_view name) const;  ///< the argument's position; -1 if there is none of that name
  bool is_mutable() const;                         ///< the op writes at least one argument
};

/// Parses a schema. Raises InvalidArgument with the position. Text of more than 64 KiB, with more than 256 arguments,
/// or with more than 8 wrappers for one type is refused.
FunctionSchema parse_schema(std::string_view text);
std::string to_string(const FunctionSchema& schema);
std::string to_string(const SchemaType& type);

/// Returns the canonical `ns.base.overload` of any accepted spelling with a namespace: `aten::add.Tensor`,
/// `torch.ops.aten.add.Tensor`, `aten.t`. Returns a spelling without a namespace (`t.default`, `add.Tensor`, `add`)
/// unchanged, because only a registry can complete it.
std::string canonical_op_name(std::string_view spelling);

/// Checks one boxed argument against its type, and converts it in place as PyTorch does. Int or bool becomes float,
/// bool becomes int, int becomes bool, one value becomes `T[N]` (N copies), and `[]` becomes any list. Numbers become
/// ScalarType, Layout and MemoryFormat by c10's numbering; text becomes Device. A number in a Tensor slot stays a
/// number. A dtype in an `int?` slot (`to.prim_dtype`) stays a dtype. The N of a list type is checked only for
/// `bool[N]` (class Runtime). Raises InvalidArgument of class Type, with op and argument.
void check_argument(const FunctionSchema& schema, size_t index, Value& value);
/// Converts like check_argument. Returns false if the type does not accept the value; a list may then have become a
/// Value of kind List with the same items.
bool convert_value(const SchemaType& type, Value& value);
/// Returns the schema's full list of arguments: binds positional and keyword arguments, fills in defaults and checks
/// each one. A complete positional list may include the keyword-only arguments.
std::vector<Value> bind_arguments(const FunctionSchema& schema, std::span<const Value> positional,
                                  std::span<const std::pair<std::string, Value>> keywords = {});

}  // namespace ersatz
