// A model as a tree of named parameters, buffers and child modules, which can be copied or converted as a whole.
//
// Names are local (`weight`). They are unique within their list, and the list keeps their order. One tensor object may
// have several names, and one child several parents; a copy of the tree keeps this sharing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

struct Module {
  std::string type;  ///< the module's type in messages: `BatchNorm2d`
  std::vector<std::pair<std::string, Tensor>> parameters;
  std::vector<std::pair<std::string, Tensor>> buffers;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> children;

  /// Returns the tensor with a dotted name, `layer1.bn.weight`; an undefined tensor if there is none.
  Tensor find(std::string_view name) const;
};

/// Calls `see(name, tensor, is_parameter)` with the dotted name of each defined parameter and buffer. A child with
/// several parents is visited once.
void visit_tensors(const Module& module, const std::function<void(const std::string&, const Tensor&, bool)>& see);

/// Raises InvalidArgument if a parameter or buffer is a fake. The message names the first fake and, if its mode keeps
/// stacks, has the fake's creation stack.
void require_no_fakes(const Module& module);

/// Both functions copy each tensor object, child and storage once, so the copies share them as the originals do.
/// Parameters stay parameters, and metadata is equal. Storage versions start at 0. Gradients and known values of fakes
/// are not copied.
///
/// The copy of a real tensor has its own bytes. The copy of a fake is a fake of the same mode with its own storage.
/// Inside a FakeCopyScope (fake/object/fake_copy.h) all copies are fakes. Inside a FakeScope without a FakeCopyScope, a
/// real tensor raises InvalidArgument.
std::shared_ptr<Module> deep_copy(const std::shared_ptr<Module>& module);
Tensor deep_copy(const Tensor& tensor);

}  // namespace ersatz
