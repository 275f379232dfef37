// Ops that `ersatz validate` has to survive and to name. They end their process or do not return, refuse calls in rule
// or kernel only, or write more than the schema declares.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "runtime/plugin/plugin_op.h"

using namespace ersatz::plugin;

namespace {

Meta like(const View& x) { return Meta(x.dtype(), x.sizes()); }

Result zeros(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), x.sizes());
  std::memset(out.data<char>(), 0, static_cast<size_t>(x.numel() * item_size(x.dtype())));
  return out;
}

Result hangs(Call& call, const View& x) {
  while (x.numel() > 4) ::usleep(1000);
  return zeros(call, x);
}

Result exits(Call& call, const View& x) {
  if (x.dim() == 1) std::exit(7);
  return zeros(call, x);
}

Result aborts(Call& call, const View& x) {
  if (x.dtype() == DType::I8) std::abort();
  return zeros(call, x);
}

Meta crashing_rule(const View& x) {
  if (x.dim() > 1 && x.stride(0) == 1) *reinterpret_cast<volatile int*>(8) = 1;
  return like(x);
}

// The rule accepts a call that the kernel refuses.
Result picky(Call& call, const View& x) {
  require(x.numel() != 3, "C1", "three elements are too many");
  return zeros(call, x);
}
// The kernel accepts a call that the rule refuses.
Meta picky_rule(const View& x) {
  require(x.dtype() != DType::F64, "C1", "f64 is too much");
  return like(x);
}

Meta offset_rule(const View& x) { return Meta::view(x, x.sizes(), x.strides(), 0); }
Result from_start(const View& x) { return Result::view(x, x.sizes(), x.strides(), x.offset()); }

Meta transposed_sizes(const View& x) {
  Dims sizes = x.sizes();
  if (sizes.size() > 1) std::swap(sizes[0], sizes[1]);
  return Meta(x.dtype(), sizes);
}

}  // namespace

ERSATZ_PLUGIN(p) {
  p.op("perilous::hangs(Tensor x) -> Tensor").kernel(hangs).rule(like).sample("f32[2]");
  p.op("perilous::exits(Tensor x) -> Tensor").kernel(exits).rule(like).sample("f32[2,3]").sample("f32[4]");
  p.op("perilous::aborts(Tensor x) -> Tensor").kernel(aborts).rule(like).sample("f32[2,3]");
  p.op("perilous::rule_crashes(Tensor x) -> Tensor").kernel(zeros).rule(crashing_rule).sample("f32[2,3]");
  p.op("perilous::kernel_refuses(Tensor x) -> Tensor").kernel(picky).rule(like).sample("f32[2]");
  p.op("perilous::rule_refuses(Tensor x) -> Tensor").kernel(zeros).rule(picky_rule).sample("f32[2]");
  p.op("perilous::offset(Tensor(a) x) -> Tensor(a)").kernel(from_start).rule(offset_rule).sample("f32[2,3]");
  p.op("perilous::swaps_sizes(Tensor x) -> Tensor").kernel(zeros).rule(transposed_sizes).sample("f32[2,3]");
  p.op("perilous::no_sample(Tensor x) -> Tensor").kernel(zeros).rule(like);
  p.op("perilous::no_rule(Tensor x) -> Tensor").kernel(zeros).sample("f32[2,3]");
}
