// A program recorded with its gradients: `retrace` with a JointTrace gives one program that computes the loss and the
// gradient of each leaf.
//
// The leaves are the parameters and user inputs that the program records as requiring gradients; where it records none,
// its parameters. Autograd follows the calls of the run, and backward's calls are recorded behind them, like any other.
// Outputs of the new program: what the old one has, the loss as `loss`, then `gradient_to_parameter` and
// `gradient_to_user_input`. A loss that is no output of one element is a further output: the sum.
#pragma once

#include "tracer/run/interpreter.h"
#include "tracer/run/loss.h"

namespace ersatz {

struct JointFacts {
  std::string loss;                  ///< an output's name, or of what it is the sum
  int64_t gradients = 0;             ///< outputs that are gradients
  std::vector<std::string> without;  ///< leaves that no gradient reaches: they have no output
};

class JointTrace {
 public:
  /// `loss`: the name of an output value; empty: as loss_of decides. REQUIRES: the program outlives the object.
  explicit JointTrace(const Program& program, std::string loss = {}) : program_(program), wanted_(std::move(loss)) {}

  /// In a function that is being traced: runs the program, then backward. Returns the outputs in order.
  /// InvalidArgument where there is no loss, no leaf, or the program has gradients already.
  std::vector<Value> run(Interpreter& interpreter, std::span<const Value> inputs);
  /// Gives the outputs that `run` has appended to those of the old program their kinds; `first`: the number of the
  /// first output of the old program.
  void describe_outputs(Program& made, size_t first) const;

  const JointFacts& facts() const { return facts_; }

 private:
  const Program& program_;
  std::string wanted_;
  JointFacts facts_;
  size_t loss_output_ = kNone;  ///< the old program's output that is the loss; kNone: it is appended
  std::vector<GradientLeaf> reached_;
};

}  // namespace ersatz
