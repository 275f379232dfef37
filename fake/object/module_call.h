// Which module runs: opened where its forward does, so that a tracer can say where a call stands.
//
//   Tensor forward(const Module& block, const Tensor& x) {
//     const ModuleCall scope(block);
//     ...
//   }
//
// The outermost module of a thread has the empty path; those called inside of it are looked for among its descendants,
// so a child that two parents share is found below the one that runs. A module that is no descendant leaves things as
// they are: its calls stand in the module that called it, and the log says so. Scopes nest, per thread.
#pragma once

#include <string>
#include <string_view>

#include "fake/object/module_tree.h"

namespace ersatz {

/// A module as it was called.
struct ModulePlace {
  uint64_t id = 0;   ///< of this call; no other one of the process has it
  std::string path;  ///< from the outermost module: `layers.0.norm`
  std::string type;
  const Module* module = nullptr;  ///< null: known from a record
  const ModulePlace* outer = nullptr;
};

/// The innermost module that runs on this thread; null where none does.
const ModulePlace* current_module();

/// Makes it the one that runs, whatever was before; null: none. REQUIRES: the place outlives the scope.
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
  /// The same where the module has several places below the one that runs: `path` is the one that was taken.
  ModuleCall(const Module& module, std::string_view path);

 private:
  ModulePlace place_;
  ModulePlaceScope scope_;
};

/// A number that no other place has.
uint64_t next_place_id();

}  // namespace ersatz
