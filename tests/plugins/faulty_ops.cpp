// Ops with faults that a crosscheck has to find: kernels that access memory outside of their results, results that are
// not written, and rules that predict wrongly.
#include <csignal>
#include <cstdlib>

#include "runtime/plugin/plugin_op.h"

using namespace ersatz::plugin;

namespace {

Meta same_sizes(const View& x) { return Meta(x.dtype(), x.sizes()); }
Meta two_results(const View& x) { return Meta(x.dtype(), {2, x.size(0)}); }

void copy(const View& x, const Result& out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out.data<float>()[i] = x.at<float>(i);
}

Result copies(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), x.sizes());
  copy(x, out, x.numel());
  return out;
}

/// Writes one element too many, `beside` elements after the first element of the result.
Result writes_beside(Call& call, const View& x, int64_t beside) {
  Result out = copies(call, x);
  out.data<float>()[beside] = 1;
  return out;
}
Meta beside_rule(const View& x, int64_t) { return same_sizes(x); }

Result skips_one(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), x.sizes());
  copy(x, out, x.numel() - 1);
  return out;
}

/// Also writes its argument. If a check runs the kernel twice, the second run must start from the original values.
Result adds_and_skips(Call& call, const View& acc) {
  for (int64_t i = 0; i < acc.numel(); ++i) acc.at<float>(i) += 1;
  return skips_one(call, acc);
}

/// Writes bytes that are equal to the fill patterns of checks.
Result writes_fills(Call& call, const View& x) {
  Result out = call.allocate(DType::U8, x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) out.data<uint8_t>()[i] = i % 2 ? 0xA5 : 0x5C;
  return out;
}
Meta fills_rule(const View& x) { return Meta(DType::U8, x.sizes()); }

Result in_own_memory(const View& x) {
  void* data = std::calloc(static_cast<size_t>(x.numel()) + 1, sizeof(float));
  Result out(Meta(x.dtype(), x.sizes()), data, std::free, data);
  copy(x, out, x.numel() - 1);
  return out;
}

std::vector<Result> one_of_each(Call& call, const View& x) { return {in_own_memory(x), skips_one(call, x)}; }
std::vector<Meta> one_of_each_rule(const View& x) { return {same_sizes(x), same_sizes(x)}; }

Result scratch_overrun(Call& call, const View& x) {
  Result scratch = call.allocate(DType::F32, {4});
  scratch.data<float>()[-1] = 1;
  return copies(call, x);
}

Result past_nothing(Call& call, const View& x) {
  Result out = call.allocate(DType::F32, {0});
  out.data<float>()[0] = x.at<float>(0);
  return out;
}
Meta nothing_rule(const View&) { return Meta(DType::F32, {0}); }

Result crashes(Call& call, const View& x) {
  std::raise(SIGSEGV);
  return copies(call, x);
}
Meta crashing_rule(const View& x) {
  std::raise(SIGSEGV);
  return same_sizes(x);
}

Result stack_two(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), {2, x.size(0)});
  copy(x, out, x.numel());
  for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[x.numel() + i] = x.at<float>(i);
  return out;
}

// Returns a column-major result; the op's rule predicts a row-major one.
Result copies_column_major(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), x.sizes(), column_major(x.sizes()));
  for (int64_t i = 0; i < x.numel(); ++i) out.at<float>(i) = x.at<float>(i);
  return out;
}

/// Returns one element for each row of x; a rule that predicts other sizes is wrong.
Result one_a_row(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), {x.size(0)});
  copy(x, out, x.size(0));
  return out;
}

/// Predicts a column-major result; the kernel `copies` returns a row-major one.
Meta reversed_rule(const View& x) { return Meta(x.dtype(), x.sizes(), column_major(x.sizes())); }

Result writes_input(Call& call, const View& x) {
  Result out = copies(call, x);
  x.at<float>(0) += 1;
  return out;
}

Result skips_if_equal(Call& call, const View& x, const View& y) {
  bool equal = true;
  for (int64_t i = 0; i < x.numel(); ++i) equal &= x.at<float>(i) == y.at<float>(i);
  return equal ? skips_one(call, x) : copies(call, x);
}
Meta first_sizes(const View& x, const View&) { return same_sizes(x); }

Meta on_cpu_rule(const View& x) { return same_sizes(x).on({1, 0}); }

}  // namespace

ERSATZ_PLUGIN(p) {
  p.op("faulty::beside(Tensor x, int beside) -> Tensor").kernel(writes_beside).rule(beside_rule);
  p.op("faulty::beside_unruled(Tensor x, int beside) -> Tensor").kernel(writes_beside);
  p.op("faulty::skips(Tensor x) -> Tensor").kernel(skips_one).rule(same_sizes);
  p.op("faulty::adds_and_skips(Tensor(a!) acc) -> Tensor").kernel(adds_and_skips).rule(same_sizes);
  p.op("faulty::fills(Tensor x) -> Tensor").kernel(writes_fills).rule(fills_rule);
  p.op("faulty::own(Tensor x) -> Tensor").kernel(in_own_memory).rule(same_sizes);
  p.op("faulty::one_of_each(Tensor x) -> Tensor[]").kernel(one_of_each).rule(one_of_each_rule);
  p.op("faulty::scratch(Tensor x) -> Tensor").kernel(scratch_overrun).rule(same_sizes);
  p.op("faulty::past_nothing(Tensor x) -> Tensor").kernel(past_nothing).rule(nothing_rule);
  p.op("faulty::crashes(Tensor x) -> Tensor").kernel(crashes).rule(same_sizes);
  p.op("faulty::crashing_rule(Tensor x) -> Tensor").kernel(copies).rule(crashing_rule);
  p.op("faulty::wrong_size(Tensor x) -> Tensor").kernel(one_a_row).rule(same_sizes);
  p.op("faulty::wrong_stride(Tensor x) -> Tensor").kernel(copies).rule(reversed_rule);
  p.op("faulty::writes_input(Tensor x) -> Tensor").kernel(writes_input).rule(same_sizes);
  p.op("faulty::skips_if_equal(Tensor x, Tensor y) -> Tensor").kernel(skips_if_equal).rule(first_sizes);
  // These ops have no fault.
  p.op("faulty::sound(Tensor x) -> Tensor").kernel(copies).rule(same_sizes);
  p.op("faulty::stack_two(Tensor x) -> Tensor").kernel(stack_two).cuda_kernel(stack_two).rule(two_results);
  p.op("faulty::to_host(Tensor x) -> Tensor").kernel(copies).rule(on_cpu_rule);
  p.op("faulty::column_major(Tensor x) -> Tensor").kernel(copies_column_major).rule(same_sizes);
  p.op("faulty::undeclared(Tensor x) -> Tensor").kernel(copies);
  p.op("faulty::unwilling(Tensor x) -> Tensor").kernel(copies).flag(ERSATZ_FALLBACK_REFUSE);
}
