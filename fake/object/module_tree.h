// A tree of named parameters, buffers and children: what a model is made of, for copying or converting it as a whole.
//
// Names are local (`weight`), unique within their list and in order. A tensor object may have several names and
// a child in several places: they are the same one there, and stay so in a copy.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

struct Module {
  std::string type;  ///< for people: `BatchNorm2d`
  std::vector<std::pair<std::string, Tensor>> parameters;
  std::vector<std::pair<std::string, Tensor>> buffers;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> children;

  /// The tensor of a dotted name, `layer1.bn.weight`; undefined if there is none.
  Tensor find(std::string_view name) const;
};

/// Calls `see(name, tensor, is_parameter)` for each parameter and buffer that is there, by dotted names; a child that
/// stands in several places is visited once.
void visit_tensors(const Module& module, const std::function<void(const std::string&, const Tensor&, bool)>& see);

/// InvalidArgument where a parameter or buffer is a fake: names the first, and where it was made if its mode keeps
/// stacks.
void require_no_fakes(const Module& module);

/// Copies with what they share: one tensor object or child becomes one, tensors on one storage share one. Parameters
/// stay parameters; metadata is equal, versions start afresh, gradients and known values are left behind.
///
/// A real tensor gets bytes of its own, a fake a storage of its own in its mode. Inside a FakeCopyScope
/// (fake/object/fake_copy.h) all become fakes. Inside a FakeScope alone a real tensor is refused (InvalidArgument), as
/// an op on it would be.
std::shared_ptr<Module> deep_copy(const std::shared_ptr<Module>& module);
Tensor deep_copy(const Tensor& tensor);

}  // namespace ersatz
