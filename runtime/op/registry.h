// All operators, by canonical name.
//
// The process has one registry. It is filled on first use by `register_all_ops`, which kernels/ops.def expands to: no
// static constructors, no order to worry about. Entries never move and are never removed. Lookups may run on any
// thread; registering (plugins) is serialised inside.
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

  /// Adds an op. The schema is parsed here; a second one of the same name is an InvalidArgument. `source`, for tables,
  /// is the file of the call.
  OpEntry& add(const Schema& schema, std::string_view source = __builtin_FILE()) { return add(schema.text(), source); }
  OpEntry& add(std::string_view schema, std::string_view source = __builtin_FILE());
  /// Adds the in-place form of a functional op that is already there: `relu_`, whose first argument is written and
  /// returned. Schema, rule and kernel are derived (runtime/op/derived.h). It has the functional op's overload name.
  OpEntry& add_inplace(const OpEntry& functional, WrittenForm form = {.cast = WrittenCast::Any});
  /// The same under an overload name of its own: `pow.Tensor_Scalar` is `pow_.Scalar` in place.
  OpEntry& add_inplace_as(std::string_view overload, const OpEntry& functional,
                          WrittenForm form = {.cast = WrittenCast::Any});
  /// Adds the `out=` form of that overload name: the functional op's arguments, then one keyword-only written argument
  /// per result, named `out` (`out0`, `out1`, ... where there are several) unless `names` says otherwise. Without a
  /// `form` that of an op with the tag Pointwise casts.
  OpEntry& add_out(const OpEntry& functional, std::string_view overload, std::optional<WrittenForm> form = {},
                   std::initializer_list<std::string_view> names = {});
  /// Adds an `out=` form that `op`'s own rule and kernels (or body) serve, or others that are set afterwards: only its
  /// schema is derived. A factory's has no dtype, layout, device and pin_memory: these are those of `out`.
  OpEntry& add_out_alike(const OpEntry& op, std::string_view overload,
                         std::initializer_list<std::string_view> names = {});

  /// By any accepted spelling (`aten.add.Tensor`, `aten::add.Tensor`, `torch.ops.aten.add.Tensor`, `add` where
  /// unambiguous); null when there is none.
  const OpEntry* find(std::string_view name) const;
  /// The same for attaching kernels of a device module.
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
/// The op of that name; NotSupported listing near names when there is none. For static locals of typed functions.
const OpEntry& op_named(std::string_view name);

/// Defined by the kernels room from ops.def; called once by `registry()`.
void register_all_ops(Registry& registry);

}  // namespace ersatz
