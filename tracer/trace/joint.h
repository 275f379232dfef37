// Records a program with its gradients: `retrace` with a JointTrace returns a program that computes the loss and the
// gradient of each leaf.
//
// The leaves are the parameters and user inputs that the program records as requiring gradients, or all its parameters
// if it records none. Autograd follows the calls of the run, and backward's calls are recorded after them. The new
// program has the old one's outputs, with the loss as `loss`, then `gradient_to_parameter` and
// `gradient_to_user_input`. A loss that is not itself an output is an additional output, the sum.
#pragma once

#include "tracer/run/interpreter.h"
#include "tracer/run/loss.h"

namespace ersatz {

struct JointFacts {
  std::string loss;                  ///< the output's name, or a description of the summed outputs
  int64_t gradients = 0;             ///< number of gradient outputs
  std::vector<std::string> without;  ///< leaves without a gradient; they have no output
};

class JointTrace {
 public:
  /// `loss` names an output value; if empty, loss_of decides. REQUIRES: the program outlives the object.
  explicit JointTrace(const Program& program, std::string loss = {}) : program_(program), wanted_(std::move(loss)) {}

  /// Runs the program and then backward, inside of a traced function. Returns the outputs in order. Raises
  /// InvalidArgument if there is no loss or no leaf, or if the program has gradient outputs already.
  std::vector<Value> run(Interpreter& interpreter, std::span<const Value> inputs);
  /// Sets the kinds of the outputs that `run` appended. `first` is the index of the old program's first output in
  /// `made`.
  void describe_outputs(Program& made, size_t first) const;

  const JointFacts& facts() const { return facts_; }

 private:
  const Program& program_;
  std::string wanted_;
  JointFacts facts_;
  size_t loss_output_ = kNone;  ///< index of the old program's output that is the loss; kNone: the loss is appended
  std::vector<GradientLeaf> reached_;
};

}  // namespace ersatz
