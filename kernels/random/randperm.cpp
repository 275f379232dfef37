#include "kernels/random/randperm.h"

#include <numeric>

#include "kernels/random/draw.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_randperm {
namespace {

void check(const RuleCall& call, DType dtype) {
  const SymInt n = call.sym(kEach["n"]);
  call.require(check_ge(n, 0), "C1", "n must not be negative: got {}", n);
  call.require_dtype(dtype, kReals);
  if (!n.is_int()) return;
  // PyTorch does not check bf16.
  const int64_t most = dtype == DType::F16   ? (int64_t(1) << 11) + 1
                       : dtype == DType::F32 ? (int64_t(1) << 24) + 1
                       : dtype == DType::F64 ? (int64_t(1) << 53) + 1
                                             : INT64_MAX;
  const bool fits = n.as_int() <= most && (n.as_int() == 0 || scalar_fits(n.as_int() - 1, dtype));
  call.require(fits, "C2", "numbers up to {} must be distinct in dtype {}", n, name(dtype));
}

void answer(RuleCall& call, Position options) {
  const DType dtype = dtype_of_factory(call, options, DType::I64);
  check(call, dtype);
  const SymInt sizes[] = {call.sym(kEach["n"])};
  answer_sized(call, options, dtype, call.device, sizes);
}
void rule(RuleCall& call) { answer(call, kRandperm["dtype"]); }
void generator_rule(RuleCall& call) { answer(call, kWithGenerator["dtype"]); }

// Permutes by Fisher and Yates: each element, from the last one on, is exchanged with an element at or before it. That
// element's index is the upper half of a 64-bit random number times the number of elements, as in `randint`. Each step
// depends on the one before, so for CUDA the numbers are permuted on the host and copied.
void permute(const Tensor& out, Generator& generator) {
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const Tensor order = make_real_tensor(TensorMeta(DType::I64, out.sizes()));
  int64_t* at = order.data<int64_t>();
  std::iota(at, at + n, int64_t(0));
  const GeneratorState start = generator.reserve(static_cast<uint64_t>((n + 1) / 2));
  for (int64_t i = n - 1; i > 0; --i) {
    const auto words = philox_4x32_10(start.seed, start.offset + static_cast<uint64_t>(i / 2));
    const uint64_t word = (uint64_t(words[i % 2 * 2]) << 32) + words[i % 2 * 2 + 1];
    const auto product = static_cast<unsigned __int128>(word) * static_cast<uint64_t>(i + 1);
    std::swap(at[i], at[static_cast<int64_t>(product >> 64)]);
  }
  copy_elements(out, order);
}
void run(KernelCall& call) { permute(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_with_generator(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  permute(out, generator_or_default(call[kWithGenerator["generator"]].as_generator(), out.device()));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kRandperm)
                    .tag(Tag::Factory | Tag::Random | Tag::Core)
                    .with_rule(rule)
                    .every_device(run)
                    .sample("5")
                    .sample("5, dtype=f32")
                    .refuses("C1", "-1")
                    .refuses("C2", "300, dtype=u8");
  r.add_out_alike(op, "out").sample("5, out=i64[0]").refuses("C2", "300, out=u8[0]");
  OpEntry& chosen = r.add(kWithGenerator)
                        .tag(Tag::Factory | Tag::Random)
                        .with_rule(generator_rule)
                        .every_device(run_with_generator)
                        .sample("5, generator=None")
                        .refuses("C1", "-1, generator=None");
  r.add_out_alike(chosen, "generator_out").sample("5, generator=None, out=i64[0]");
}

}  // namespace ersatz::op_randperm
