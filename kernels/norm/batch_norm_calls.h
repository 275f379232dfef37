// Kernels of all batch norm overloads, for any device. Each kernel calls this function of the template parameter
// `Engine`, a class that each device defines:
//   static void run(const Operands& o, std::span<Tensor> outputs);
#pragma once

#include "kernels/norm/batch_norm.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_batch_norm {

struct Operands {
  Tensor input, weight, bias, running_mean, running_var;
  bool training;
  double momentum, eps;
};

/// Returns the input, or a copy of the input if a result shares its memory.
inline Tensor input_apart(const KernelCall& call) {
  const Tensor in = call.tensor(kEach["input"]);
  for (const Tensor& out : call.outputs) {
    if (!out.shares_storage(in)) continue;
    const Tensor copy = make_real_tensor(TensorMeta(in.dtype(), in.sizes(), in.device()));
    copy_elements(copy, in);
    return copy;
  }
  return in;
}

/// Returns `t`, converted to f32 if `t` has integers.
inline Tensor variance(const Tensor& t) {
  if (!t || !is_integral(t.dtype())) return t;
  const Tensor floats = make_real_tensor(TensorMeta(DType::F32, t.sizes(), t.device()));
  copy_elements(floats, t);
  return floats;
}

inline Operands operands(const KernelCall& call, bool training, Position momentum) {
  return {input_apart(call),
          call.tensor(kWithStatistics["weight"]),
          call.tensor(kWithStatistics["bias"]),
          call.tensor(kWithStatistics["running_mean"]),
          variance(call.tensor(kWithStatistics["running_var"])),
          training,
          call.real(momentum),
          call.real(momentum + 1)};
}

template <class Engine>
void inference(KernelCall& call) {
  static constexpr Schemas kArgs{kNativeBatchNormLegitNoTraining, kBatchNormNoUpdate};
  Engine::run(operands(call, false, kArgs["momentum"]), call.outputs);
}
template <class Engine>
void legit(KernelCall& call) {
  static constexpr Schemas kArgs{kNativeBatchNormLegit, kNativeBatchNorm, kNativeBatchNormOut,
                                 kNativeBatchNormLegitOut};
  Engine::run(operands(call, call.boolean(kArgs["training"]), kArgs["momentum"]), call.outputs);
}
/// Kernel of the functional overload, whose running statistics are results 3 and 4.
template <class Engine>
void functional(KernelCall& call) {
  copy_elements(call.outputs[3], call.tensor(kNativeBatchNormLegitFunctional["running_mean"]));
  copy_elements(call.outputs[4], call.tensor(kNativeBatchNormLegitFunctional["running_var"]));
  Operands o = operands(call, call.boolean(kNativeBatchNormLegitFunctional["training"]),
                        kNativeBatchNormLegitFunctional["momentum"]);
  o.running_mean = call.outputs[3];
  o.running_var = call.outputs[4];
  Engine::run(o, call.outputs);
}
template <class Engine>
void with_update(KernelCall& call) {
  Engine::run(operands(call, true, kUpdating["momentum"]), call.outputs);
}
template <class Engine>
void no_stats(KernelCall& call) {
  Engine::run({input_apart(call), call.tensor(kNativeBatchNormLegitNoStats["weight"]),
               call.tensor(kNativeBatchNormLegitNoStats["bias"]), Tensor(), Tensor(), true,
               call.real(kNativeBatchNormLegitNoStats["momentum"]), call.real(kNativeBatchNormLegitNoStats["eps"])},
              call.outputs);
}

}  // namespace ersatz::op_batch_norm
