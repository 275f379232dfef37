// All operators, by canonical name.
//
// The process has one registry. Its first use fills it by `register_all_ops`, which kernels/ops.def expands to, so
// there are no static constructors. Entries never move and are never removed. Any thread may look up ops; a lock guards
// registration (plugins).
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

  /// Adds an op and parses its schema. Raises InvalidArgument for a name that is already registered. `source` is the
  /// file of the caller, for tables.
  OpEntry& add(const Schema& schema, std::string_view source = __builtin_FILE()) { return add(schema.text(), source); }
  OpEntry& add(std::string_view schema, std::string_view source = __builtin_FILE());
  /// Adds the in-place form of a registered functional op: `relu_`, whose first argument is written and returned.
  /// Schema, rule and kernel are derived (runtime/op/derived.h). The overload name is the functional op's.
  OpEntry& add_inplace(const OpEntry& functional, WrittenForm form = {.cast = WrittenCast::Any});
  /// Like add_inplace, with another overload name: `pow.Tensor_Scalar` is `pow_.Scalar` in place.
  OpEntry& add_inplace_as(std::string_view overload, const OpEntry& functional,
                          WrittenForm form = {.cast = WrittenCast::Any});
  /// Adds the `out=` form with that overload name. Its arguments are the functional op's, then one keyword-only written
  /// argument per result, named `out` (`out0`, `out1`, ... for several) or as in `names`. Without `form`, the form of
  /// an op with the tag Pointwise casts.
  OpEntry& add_out(const OpEntry& functional, std::string_view overload, std::optional<WrittenForm> form = {},
                   std::initializer_list<std::string_view> names = {});
  /// Adds an `out=` form that uses `op`'s own rule and kernels (or composite body), or ones that are set afterwards:
  /// only its schema is derived. The form of a factory has no dtype, layout, device and pin_memory arguments, because
  /// `out` has them.
  OpEntry& add_out_alike(const OpEntry& op, std::string_view overload,
                         std::initializer_list<std::string_view> names = {});

  /// By any accepted spelling (`aten.add.Tensor`, `aten::add.Tensor`, `torch.ops.aten.add.Tensor`, `add` where
  /// unambiguous); null when there is none.
  const OpEntry* find(std::string_view name) const;
  /// Like find, for code that attaches kernels of a device module.
  OpEntry* find_mutable(std::string_view canonical_name);
  /// Sorted by name.
  std::vector<const OpEntry*> all() const;

 private:
  OpEntry& add(FunctionSchema schema, std::string_view source);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The process's registry, filled.
Registry& registry();
/// Returns the op of that name. Raises NotSupported with a list of similar names. Typed functions call it once, for a
/// static local.
const OpEntry& op_named(std::string_view name);

/// Registers all ops. kernels/ defines it from ops.def; `registry()` calls it once.
void register_all_ops(Registry& registry);

}  // namespace ersatz
