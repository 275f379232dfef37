// Finds a program's loss among its outputs, and the leaves whose gradients are computed.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"
#include "tracer/program/program.h"

namespace ersatz {

/// A parameter or user input of floating point or complex dtype.
struct GradientLeaf {
  size_t input = 0;  ///< index among the graph's inputs
  std::string name;  ///< for a parameter its path, `fc.weight`
  bool is_parameter = false;
  Tensor tensor;
};

/// Returns the leaves among the inputs of a run. Sets requires_grad on all of them, whatever the program records.
std::vector<GradientLeaf> make_leaves(const Program& program, std::span<const Value> inputs);
/// Returns only leaves that the program records as requiring gradients, or the parameters if it records none.
std::vector<GradientLeaf> make_recorded_leaves(const Program& program, std::span<const Value> inputs);

struct Loss {
  std::vector<Tensor>
      tensors;            ///< floating point tensors that require gradients; the loss is the sum of all their elements
  size_t output = kNone;  ///< the graph output that is itself the loss, a tensor without dims; else kNone
  std::string words;      ///< the output's name, or a description of the summed outputs
};

/// Returns the loss among the outputs of a run. `wanted` names an output value. If it is empty, the loss is the output
/// that the program records as its loss. Without a recorded loss, it is the sum of all floating point user outputs that
/// require gradients. Raises InvalidArgument if no output has the name, or none requires a gradient.
Loss loss_of(const Program& program, std::span<const Value> results, const std::string& wanted);

}  // namespace ersatz
