// The overloads of batch norm as calls of one function, for the kernels of any device. An `Engine` has
//   static void run(const Operands& o, std::span<Tensor> outputs);
#pragma once

#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_batch_norm {

struct Operands {
  Tensor input, weight, bias, running_mean, running_var;
  bool training;
  double momentum, eps;
};

/// The input, or a copy of it where a result lies in its memory.
inline Tensor input_apart(const KernelCall& call) {
  const Tensor in = call.tensor(0);
  for (const Tensor& out : call.outputs) {
    if (!out.shares_storage(in)) continue;
    const Tensor copy = make_real_tensor(TensorMeta(in.dtype(), in.sizes(), in.device()));
    copy_elements(copy, in);
    return copy;
  }
  return in;
}

inline Operands operands(const KernelCall& call, bool training, size_t momentum) {
  return {input_apart(call), call.tensor(1), call.tensor(2),      call.tensor(3),
          call.tensor(4),    training,       call.real(momentum), call.real(momentum + 1)};
}

template <class Engine>
void inference(KernelCall& call) {
  Engine::run(operands(call, false, 5), call.outputs);
}
template <class Engine>
void legit(KernelCall& call) {
  Engine::run(operands(call, call.boolean(5), 6), call.outputs);
}
/// Running statistics are results of their own.
template <class Engine>
void functional(KernelCall& call) {
  for (size_t i = 3; i < 5; ++i) copy_elements(call.outputs[i], call.tensor(i));
  Operands o = operands(call, call.boolean(5), 6);
  o.running_mean = call.outputs[3];
  o.running_var = call.outputs[4];
  Engine::run(o, call.outputs);
}
template <class Engine>
void with_update(KernelCall& call) {
  Engine::run(operands(call, true, 5), call.outputs);
}
template <class Engine>
void no_stats(KernelCall& call) {
  Engine::run({input_apart(call), call.tensor(1), call.tensor(2), Tensor(), Tensor(), true, call.real(4), call.real(5)},
              call.outputs);
}

}  // namespace ersatz::op_batch_norm
