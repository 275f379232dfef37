#include "kernels/dense_operand.h"
#include "kernels/reduction/hash_tensor.h"
#include "kernels/reduction/host_reduction.h"
#include "kernels/reduction/reduce_dims.h"
#include "kernels/shape/copy.h"

namespace ersatz::op_hash_tensor {
namespace {

struct ExclusiveOr {
  using In = uint64_t;
  using Acc = uint64_t;
  using Total = uint64_t;
  using Out = uint64_t;

  Acc start() const { return 0; }
  void step(Acc& a, In v) const { a ^= v; }
  Total open() const { return 0; }
  void fold(Total& t, const Acc& a) const { t ^= a; }
  void merge(Total& t, const Total& o) const { t ^= o; }
  Out finish(const Total& t) const { return t; }
};

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kHashTensor["self"]);
  const Tensor wide = plain_input(ops::to(self, is_integral(self.dtype()) ? DType::I64 : DType::F64));
  HostReduction::run(ExclusiveOr(), wide, call.outputs[0], reduced_dims(call.ints(kHashTensor["dim"]), self.dim()));
}

}  // namespace ersatz::op_hash_tensor
