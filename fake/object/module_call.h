// A scope for the forward function of a module, so that a tracer knows the module of each call.
//
//   Tensor forward(const Module& block, const Tensor& x) {
//     const ModuleCall scope(block);
//     ...
//   }
//
// The outermost module of a thread has the empty path. An inner module is searched among the descendants of the module
// that runs. So a child of two parents is found below the parent that runs. If a module is no descendant, its scope has
// no effect: its calls belong to the module that runs, and a warning is logged. Scopes nest; each thread has its own.
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
  const Module* module = nullptr;  ///< null: the place was read from a record
  const ModulePlace* outer = nullptr;
};

/// Returns the innermost module call of this thread; null if no module runs.
const ModulePlace* current_module();

/// Sets `current_module()` until the end of the scope; null: no module runs. REQUIRES: the place outlives the scope.
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
  /// For a module with several paths below the module that runs. `path` is the path of this call, from that module.
  ModuleCall(const Module& module, std::string_view path);

 private:
  ModulePlace place_;
  ModulePlaceScope scope_;
};

/// Returns a new number for ModulePlace::id.
uint64_t next_place_id();

}  // namespace ersatz
