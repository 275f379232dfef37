// Where gradients of a program begin and where they end: the outputs that are its loss, and its leaves.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"
#include "tracer/program/program.h"

namespace ersatz {

/// A parameter, or a user input, of floating point or complex dtype.
struct GradientLeaf {
  size_t input = 0;  ///< its number among the graph's inputs
  std::string name;  ///< of a parameter: its path, `fc.weight`
  bool is_parameter = false;
  Tensor tensor;
};

/// The leaves among the inputs of a run. They require gradients from now on, whatever the program records.
std::vector<GradientLeaf> make_leaves(const Program& program, std::span<const Value> inputs);
/// Those that the program records as requiring gradients; where it records none, its parameters.
std::vector<GradientLeaf> make_recorded_leaves(const Program& program, std::span<const Value> inputs);

struct Loss {
  std::vector<Tensor> tensors;  ///< floating point, each requires a gradient: the loss is the sum of all elements
  size_t output = kNone;        ///< the graph's output that is the loss as it is: one element of no dims
  std::string words;            ///< the output's name, or of what the loss is the sum
};

/// The loss among the outputs of a run. `wanted`: the name of an output value; empty: the output that the program
/// records as its loss, else the sum of all user outputs of floating point dtype that require gradients.
/// InvalidArgument where no output has the name, or none requires a gradient.
Loss loss_of(const Program& program, std::span<const Value> results, const std::string& wanted);

}  // namespace ersatz
