// A scope for the forward function of a module. It tells a tracer which module makes each call.
//
//   Tensor forward(const Module& block, const Tensor& x) {
//     const ModuleCall scope(block);
//     ...
//   }
//
// The outermost module of a thread has the empty path. The path of an inner module is searched among the descendants of
// the module that runs, so that a child with two parents is found below the right one. If a module is no descendant,
// its scope has no effect except a warning in the log: its calls belong to the module that runs. Scopes nest; each
// thread has its own.
#pragma once

#include <string>
#include <string_view>

#include "fake/object/module_tree.h"

namespace ersatz {

/// One call of a module.
struct ModulePlace {
  uint64_t id = 0;   ///< unique in the process for each call
  std::string path;  ///< from the outermost module: `layers.0.norm`
  std::string type;
  const Module* module = nullptr;  ///< null: the ModulePlace was read from a recorded program
  const ModulePlace* outer = nullptr;
};

/// Returns the innermost module call of this thread; null if no module runs.
const ModulePlace* current_module();

/// Sets `current_module()` until the end of the scope. Null means that no module runs. REQUIRES: `place` outlives the
/// scope.
class ModulePlaceScope {
 public:
  explicit ModulePlaceScope(const ModulePlace* place);
  ~ModulePlaceScope();
  ModulePlaceScope(const ModulePlaceScope&) = delete;
  ModulePlaceScope& operator=(const ModulePlaceScope&) = delete;

 private:
  const ModulePlace* saved_;
};

class ModuleCall {
 public:
  /// REQUIRES: the module outlives the scope.
  explicit ModuleCall(const Module& module);
  /// For a module with several paths below the module that runs. `path` is the path of this call, relative to the
  /// module that runs.
  ModuleCall(const Module& module, std::string_view path);

 private:
  ModulePlace place_;
  ModulePlaceScope scope_;
};

/// Returns a new number for ModulePlace::id.
uint64_t next_place_id();

}  // namespace ersatz
