// The registry of all operators, by canonical name.
//
// The process has one registry. On first use, `register_all_ops` fills it from kernels/ops.def, so there are no static
// constructors. Entries never move and are never removed. Any thread may look up ops; a lock guards registration by
// plugins.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz {

class Registry {
 public:
  Registry();
  ~Registry();

  /// Adds an op and parses its schema. Raises InvalidArgument if the name is already registered. `source` is the
  /// caller's source file, which tables of operators show.
  OpEntry& add(const Schema& schema, std::string_view source = __builtin_FILE()) { return add(schema.text(), source); }
  OpEntry& add(std::string_view schema, std::string_view source = __builtin_FILE());
  /// Adds the in-place form of a registered functional op: `relu_`, whose first argument is written and returned.
  /// Schema, rule and kernel are derived (runtime/op/derived.h). The overload name is the functional op's.
  OpEntry& add_inplace(const OpEntry& functional, WrittenForm form = {.cast = WrittenCast::Any});
  /// Like add_inplace, with another overload name: the in-place form of `pow.Tensor_Scalar` is `pow_.Scalar`.
  OpEntry& add_inplace_as(std::string_view overload, const OpEntry& functional,
                          WrittenForm form = {.cast = WrittenCast::Any});
  /// Adds the `out=` overload with the overload name `overload`. Its arguments are the functional op's, then one
  /// keyword-only written argument per result. The written arguments are named `out` (`out0`, `out1`, ... if there are
  /// several), or as in `names`. Without `form`, the result of a Pointwise op is cast to the dtype of `out`.
  OpEntry& add_out(const OpEntry& functional, std::string_view overload, std::optional<WrittenForm> form = {},
                   std::initializer_list<std::string_view> names = {});
  /// Adds an `out=` overload of which only the schema is derived from `op`. It uses the rule and kernels (or composite
  /// body) of `op`, or ones that the caller sets afterwards. The `out=` overload of a factory has no dtype, layout,
  /// device and pin_memory arguments, because `out` determines these properties.
  OpEntry& add_out_alike(const OpEntry& op, std::string_view overload,
                         std::initializer_list<std::string_view> names = {});

  /// Returns the op with the name, in any accepted spelling: `aten.add.Tensor`, `aten::add.Tensor`,
  /// `torch.ops.aten.add.Tensor`, or `add` if only one op matches. Null if there is none.
  const OpEntry* find(std::string_view name) const;
  /// Like find, for code that attaches the kernels of a device module.
  OpEntry* find_mutable(std::string_view canonical_name);
  /// Returns all entries, sorted by name.
  std::vector<const OpEntry*> all() const;

 private:
  OpEntry& add(FunctionSchema schema, std::string_view source);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the process's registry. The first call fills it.
Registry& registry();
/// Returns the op with that name. Raises NotSupported, with a list of similar names, if there is none. Each typed
/// function calls it once and stores the result in a static local.
const OpEntry& op_named(std::string_view name);

/// Registers all ops. kernels/ defines it from ops.def; `registry()` calls it once.
void register_all_ops(Registry& registry);

}  // namespace ersatz
