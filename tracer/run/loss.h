// Finds the loss among a program's outputs, and the leaves for which gradients are computed.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"
#include "tracer/program/program.h"

namespace ersatz {

/// A leaf: a parameter or user input with a floating point or complex dtype.
struct GradientLeaf {
  size_t input = 0;  ///< number of the graph input
  std::string name;  ///< name of the input; for a parameter its path, like `fc.weight`
  bool is_parameter = false;
  Tensor tensor;
};

/// Returns the leaves among the inputs of a run. Sets requires_grad on all of them, whatever the program has recorded.
std::vector<GradientLeaf> make_leaves(const Program& program, std::span<const Value> inputs);
/// Returns only the leaves that the program records as requiring gradients. If it records none, returns the parameters.
std::vector<GradientLeaf> make_recorded_leaves(const Program& program, std::span<const Value> inputs);

struct Loss {
  std::vector<Tensor>
      tensors;            ///< floating point tensors that require gradients; the loss is the sum of all their elements
  size_t output = kNone;  ///< index of the graph output that is the loss, if that is one 0-d tensor; else kNone
  std::string words;      ///< the output's name, or a description of the summed outputs
};

/// Returns the loss of a run. `wanted` names the output; if it is empty, the output that the program records as its
/// loss is used. If the program records none, the loss is the sum of all floating point user outputs that require
/// gradients. RAISES InvalidArgument if no output has the name, or none requires a gradient.
Loss loss_of(const Program& program, std::span<const Value> results, const std::string& wanted);

}  // namespace ersatz
