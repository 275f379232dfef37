// tril and triu on CUDA: one thread for each element copies it or writes zero.
#include "kernels/dense_operand.h"
#include "kernels/shape/device_image.h"
#include "kernels/shape/tril.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_tril {
namespace {

constexpr int kBatchDims = 6;

template <class Word>
struct Triangle {
  const Word* from;
  Word* to;
  int64_t rows, columns, diagonal;
  int64_t from_step[2], to_step[2];
  int batch_dims;
  int64_t batch[kBatchDims], from_batch[kBatchDims], to_batch[kBatchDims];  // the innermost dim first
  bool lower;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    int64_t rest = quotient(i, columns);
    const int64_t c = i - rest * columns;
    int64_t above = quotient(rest, rows);
    const int64_t r = rest - above * rows;
    int64_t in = r * from_step[0] + c * from_step[1], out = r * to_step[0] + c * to_step[1];
    for (int d = 0; d < batch_dims; ++d) {
      const int64_t outer = quotient(above, batch[d]), here = above - outer * batch[d];
      in += here * from_batch[d];
      out += here * to_batch[d];
      above = outer;
    }
    const bool kept = lower ? c - r <= diagonal : c - r >= diagonal;
    to[out] = kept ? from[in] : Word{};
  }
};

/// Fills in the batch dims of `t`. Returns false if there are more than the kernel supports.
template <class Word>
bool set_batch(Triangle<Word>& t, const Tensor& in, const Tensor& out) {
  const auto sizes = as_ints(out.sizes()), from = as_ints(in.strides()), to = as_ints(out.strides());
  t.batch_dims = 0;
  for (size_t d = sizes.size() - 2; d-- > 0;) {
    if (sizes[d] == 1) continue;
    const int last = t.batch_dims - 1;
    if (last >= 0 && from[d] == t.from_batch[last] * t.batch[last] && to[d] == t.to_batch[last] * t.batch[last]) {
      t.batch[last] *= sizes[d];
      continue;
    }
    if (t.batch_dims == kBatchDims) return false;
    t.batch[t.batch_dims] = sizes[d];
    t.from_batch[t.batch_dims] = from[d];
    t.to_batch[t.batch_dims++] = to[d];
  }
  return true;
}

template <class Word>
void cut(const Tensor& out, const Tensor& in, int64_t diagonal, bool lower) {
  const size_t rank = out.sizes().size();
  Triangle<Word> t{};
  t.from = reinterpret_cast<const Word*>(in.raw_data());
  t.to = reinterpret_cast<Word*>(out.raw_data());
  t.rows = out.sizes()[rank - 2].as_int();
  t.columns = out.sizes()[rank - 1].as_int();
  t.diagonal = diagonal;
  t.lower = lower;
  for (size_t k = 0; k < 2; ++k) {
    t.from_step[k] = in.strides()[rank - 2 + k].as_int();
    t.to_step[k] = out.strides()[rank - 2 + k].as_int();
  }
  const bool lazy = out.meta().conj || out.meta().neg;
  if ((!lazy || t.from == t.to) && set_batch(t, in, out)) {
    return cuda_module::launch_each(out.device().index, out.numel().as_int(), t);
  }
  // A row-major copy has one batch dim and no lazy bits, so the kernel supports it.
  const Tensor dense = make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  cut<Word>(dense, dense_input(in), diagonal, lower);
  copy_elements(out, dense);
}

template <bool lower>
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const bool same = out.is(call.tensor(kTril["self"]));
  const Tensor in = same ? out : plain_input(call.tensor(kTril["self"]));
  dispatch_item_size(item_size(out.dtype()),
                     [&]<class Word>() { cut<Word>(out, in, call.integer(kTril["diagonal"]), lower); });
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.tril.default", "aten.tril_.default"}) cuda_module::attach(registry, name, run<true>);
  for (const char* name : {"aten.triu.default", "aten.triu_.default"}) cuda_module::attach(registry, name, run<false>);
}

}  // namespace ersatz::op_tril
