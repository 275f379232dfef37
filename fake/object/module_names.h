// What the tensors of a module tree are called: `layers.0.weight`.
//
// A tensor that has several names has the first of them, parents before children.
#pragma once

#include <string>
#include <unordered_map>

#include "fake/object/module_tree.h"

namespace ersatz {

class ModuleNames {
 public:
  struct Name {
    std::string path;
    bool parameter = false;  ///< else a buffer
  };
  /// Names as they are now.
  explicit ModuleNames(const Module& root);
  /// Null: no tensor of the tree.
  const Name* find(const Tensor& t) const;

 private:
  std::unordered_map<uint64_t, Name> by_identity_;
};

}  // namespace ersatz
