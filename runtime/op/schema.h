// Operator schemas in ATen's schema language, parsed to data and printed back to the identical text.
//
//   aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
//
// Covered: defaults, optionals (`Tensor?`), lists (`Tensor[]`, `int[2]`, `Tensor?[]`, `int[]?`), alias annotations
// (`(a)`, `(a!)`, `(a -> *)`, `(b|a)`, `(a|b!)`), keyword-only arguments, multiple, named and `()` returns. Alias
// annotations are data that fake mode, crosscheck and the tracer use. A schema is immutable once parsed. The parser
// takes hostile text: bounded, a clear error (InvalidArgument with the position), nothing half-made.
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

/// A type: a base, then wrappers from the inside out. `Tensor?[]` is List(Optional(Tensor)).
struct SchemaType {
  struct Wrap {
    enum class Kind : uint8_t { Optional, List } kind;
    int fixed_size = -1;  ///< N of `int[N]`; -1 without
    bool operator==(const Wrap&) const = default;
  };
  BaseType base = BaseType::Tensor;
  std::vector<Wrap> wraps;

  bool is_list() const;           ///< `T[]`, also `T[]?`
  bool is_optional() const;       ///< the outermost wrapper is Optional
  bool element_optional() const;  ///< `Tensor?[]`
  int fixed_size() const;         ///< N of `int[N]`, -1 without
  bool operator==(const SchemaType&) const = default;
};

/// `(a)`, `(a!)`, `(a! -> b)`, `(a -> *)`: which memory an argument or return may share, and whether it is written.
struct AliasInfo {
  std::vector<std::string> before;  ///< alias sets
  std::vector<std::string> after;   ///< of `-> ...`; equal to `before` where no arrow is written
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
  uint32_t ready_kinds = 0;  ///< bit per Value::Kind that fits as it is; others are looked at by check_argument

  bool is_ready(Value::Kind k) const { return ready_kinds >> static_cast<int>(k) & 1; }
  bool is_write() const { return alias && alias->is_write; }
};

struct FunctionSchema {
  std::string ns;        ///< `aten`
  std::string base;      ///< `add_`
  std::string overload;  ///< `Tensor`; empty for the default one
  std::vector<Argument> arguments;
  std::vector<Argument> returns;
  bool returns_in_parentheses = false;  ///< how a single return was written

  /// `aten.add_.Tensor`, `aten.t.default`.
  std::string qualified_name() const;
  int find_argument(std::string_view name) const;  ///< -1: none
  bool is_mutable() const;                         ///< any argument is written
};

/// Raises InvalidArgument with the position; text of more than 64 KiB, 256 arguments or 8 wrappers a type is refused.
FunctionSchema parse_schema(std::string_view text);
std::string to_string(const FunctionSchema& schema);
std::string to_string(const SchemaType& type);

/// Canonical `ns.base.overload` of any accepted spelling: `aten::add.Tensor`, `torch.ops.aten.add.Tensor`, `aten.t`.
/// Spellings without a namespace (`t.default`, `add.Tensor`, `add`) stay as they are: only a registry can complete
/// them.
std::string canonical_op_name(std::string_view spelling);

/// Checks one boxed argument against its type and converts it as the language allows. Int or bool becomes float, bool
/// becomes int and back, one value becomes `T[N]` (N copies), and `[]` becomes any list. C10 numbers become ScalarType,
/// Layout and MemoryFormat; text becomes Device. A number in a Tensor slot stays a number, a dtype in an `int?` slot
/// (`to.prim_dtype`) a dtype. The length of a list is a hint, but for `bool[N]` (family runtime). Raises
/// InvalidArgument, family type, naming op and argument.
void check_argument(const FunctionSchema& schema, size_t index, Value& value);
/// Converts as check_argument does. Returns false if the type does not take the value (a list may then have become a
/// List of the same items).
bool convert_value(const SchemaType& type, Value& value);
/// Completes positional and keyword arguments to the schema's full list, defaults filled in, each checked. A complete
/// positional list may hold the keyword-only arguments too.
std::vector<Value> bind_arguments(const FunctionSchema& schema, std::span<const Value> positional,
                                  std::span<const std::pair<std::string, Value>> keywords = {});

}  // namespace ersatz
