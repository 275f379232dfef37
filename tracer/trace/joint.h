// Records a program together with its gradients. `retrace` with a JointTrace returns a program that computes the loss
// and the gradient of each leaf.
//
// The leaves are the parameters and user inputs that the program records as requiring gradients or, if it records none,
// all its parameters. Autograd follows the calls of the run, and the calls of backward are recorded after them. The new
// program has the old program's outputs, of which the loss has kind `loss`, then outputs of kind
// `gradient_to_parameter` and `gradient_to_user_input`. If the loss is not an output of the old program, it is an
// additional output.
#pragma once

#include "tracer/run/interpreter.h"
#include "tracer/run/loss.h"

namespace ersatz {

struct JointFacts {
  std::string loss;                  ///< the output's name, or a description of the summed outputs
  int64_t gradients = 0;             ///< number of outputs that are gradients
  std::vector<std::string> without;  ///< names of leaves that get no gradient, so that they have no output
};

class JointTrace {
 public:
  /// `loss` names the output from which backward starts. If it is empty, loss_of decides. REQUIRES: the program
  /// outlives the object.
  explicit JointTrace(const Program& program, std::string loss = {}) : program_(program), wanted_(std::move(loss)) {}

  /// Runs the program and then backward. It has to be called inside a traced function. Returns the outputs in order.
  /// RAISES InvalidArgument if there is no loss or no leaf, or if the program has outputs that are gradients already.
  std::vector<Value> run(Interpreter& interpreter, std::span<const Value> inputs);
  /// Sets the kinds of the outputs that `run` appended. In `made`, the first output of the old program has number
  /// `first`.
  void describe_outputs(Program& made, size_t first) const;

  const JointFacts& facts() const { return facts_; }

 private:
  const Program& program_;
  std::string wanted_;
  JointFacts facts_;
  size_t loss_output_ = kNone;  ///< number of the old program's output that is the loss; kNone: the loss was appended
  std::vector<GradientLeaf> reached_;
};

}  // namespace ersatz
