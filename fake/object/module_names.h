// Finds the name of a tensor in a module tree: `layers.0.weight`.
//
// If a tensor has several names, its name is the first one in breadth-first order.
#pragma once

#include <string>
#include <unordered_map>

#include "fake/object/module_tree.h"

namespace ersatz {

class ModuleNames {
 public:
  struct Name {
    std::string path;
    bool parameter = false;  ///< false: a buffer
  };
  /// Stores the names that the tensors of the tree have now.
  explicit ModuleNames(const Module& root);
  /// Returns the name of a tensor; null if the tensor is not in the tree.
  const Name* find(const Tensor& t) const;

 private:
  std::unordered_map<uint64_t, Name> by_identity_;
};

}  // namespace ersatz
