// where on CUDA: if all operands have the result's dtype, elements are moved as words. Otherwise the loop Row::where
// converts and selects.
#include "kernels/dense_operand.h"
#include "kernels/indexing/tensor_number.h"
#include "kernels/pointwise/device_select.h"
#include "kernels/pointwise/where.h"
#include "runtime/cuda/attach.h"
#include "runtime/op/registry.h"

namespace ersatz::op_where {
namespace {

/// Returns the operand in a form that `select_words` accepts, or an undefined tensor if the operand must be converted.
Tensor words_of(const Tensor& out, const Value& operand) {
  if (!operand.is_tensor()) return pointwise::number_in_bytes_of(out, operand.as_scalar());
  const Tensor t = operand.tensor();
  if (t.device().is_cpu()) return pointwise::number_in_bytes_of(out, first_number(t));
  return t.dtype() == out.dtype() ? plain_input(t) : Tensor();
}

void run_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor condition = call.tensor(kWhereSelf["condition"]);
  const bool is_condition = condition.device() == out.device() && item_size(condition.dtype()) == 1;
  if (!is_condition || out.meta().conj || out.meta().neg || out.dtype() != common_dtype(call)) return run(call);
  const Tensor yes = words_of(out, call[kWhereSelf["self"]]), no = words_of(out, call[kWhereSelf["other"]]);
  if (!yes || !no) return run(call);
  if (out.numel().as_int() > 0) pointwise::select_words(out, condition, yes, no);
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther", "aten.where.Scalar"})
    cuda_module::attach(registry, name, run_cuda);
}

}  // namespace ersatz::op_where
