// One right op and eight wrong ones, each with another error. `ersatz validate --plugin` must find the error, make its
// call small and explain it (docs/jobs/validate.md).
#include <csignal>

#include "runtime/plugin/plugin_op.h"

using namespace ersatz::plugin;

namespace {

void check_f32(const View& x) { require(x.dtype() == DType::F32, "C1", "x must be f32"); }

Meta like(const View& x) {
  check_f32(x);
  return Meta(x.dtype(), x.sizes());
}

void scale_into(const View& x, const Result& out, double factor, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out.at<float>(i) = x.at<float>(i) * static_cast<float>(factor);
}

Result scaled(Call& call, const View& x, double factor) {
  check_f32(x);
  Result out = call.allocate(x.dtype(), x.sizes());
  scale_into(x, out, factor, x.numel());
  return out;
}

// This op is right.
Result scale(Call& call, const View& x, double factor) { return scaled(call, x, factor); }
Meta scale_rule(const View& x, double) { return like(x); }

// The kernel keeps the order of the strides, as elementwise kernels do. The rule predicts row-major strides, which is
// wrong for permuted inputs only.
Result keeps_order(Call& call, const View& x) {
  check_f32(x);
  int64_t extent = 1;
  for (int64_t d = 0; d < x.dim(); ++d) extent += (x.size(d) - 1) * x.stride(d);
  const bool dense = x.numel() > 0 && extent == x.numel();
  Result out = call.allocate(x.dtype(), x.sizes(), dense ? x.strides() : contiguous(x.sizes()));
  scale_into(x, out, 1, x.numel());
  return out;
}

// The kernel promotes dtypes, the rule predicts the first input's dtype. This is wrong if the two dtypes differ.
void check_floats(const View& x, const View& y) {
  const auto is_float = [](const View& v) { return v.dtype() == DType::F32 || v.dtype() == DType::F64; };
  require(is_float(x) && is_float(y), "C1", "x and y must be f32 or f64");
  require(x.sizes() == y.sizes(), "C2", "x and y must have the same sizes");
}
double element(const View& v, int64_t i) { return v.dtype() == DType::F64 ? v.at<double>(i) : v.at<float>(i); }
Result promotes(Call& call, const View& x, const View& y) {
  check_floats(x, y);
  const bool wide = x.dtype() == DType::F64 || y.dtype() == DType::F64;
  Result out = call.allocate(wide ? DType::F64 : DType::F32, x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double sum = element(x, i) + element(y, i);
    if (wide) {
      out.at<double>(i) = sum;
    } else {
      out.at<float>(i) = static_cast<float>(sum);
    }
  }
  return out;
}
Meta promotes_rule(const View& x, const View& y) {
  check_floats(x, y);
  return Meta(x.dtype(), x.sizes());
}

// Returns the argument's memory, although neither schema nor rule declares this.
Result aliases(const View& x) {
  check_f32(x);
  return Result::view(x, x.sizes(), x.strides(), x.offset());
}

// Writes to its argument, which the schema does not declare as written.
Result writes_input(Call& call, const View& x) {
  Result out = scaled(call, x, 1);
  if (x.numel() > 0) x.at<float>(0) = 42;
  return out;
}

// Does not write the last element of its result.
Result leaves_last(Call& call, const View& x) {
  check_f32(x);
  Result out = call.allocate(x.dtype(), x.sizes());
  scale_into(x, out, 1, x.numel() - 1);
  return out;
}

// Writes one element beyond the end of its result.
Result past_end(Call& call, const View& x) {
  Result out = scaled(call, x, 1);
  out.data<float>()[x.numel()] = 42;
  return out;
}

// Returns the elements above zero. The rule predicts a result of all elements.
Result positive(Call& call, const View& x) {
  check_f32(x);
  int64_t count = 0;
  for (int64_t i = 0; i < x.numel(); ++i) count += x.at<float>(i) > 0;
  Result out = call.allocate(x.dtype(), {count});
  for (int64_t i = 0, at = 0; i < x.numel(); ++i) {
    if (x.at<float>(i) > 0) out.at<float>(at++) = x.at<float>(i);
  }
  return out;
}
Meta positive_rule(const View& x) {
  check_f32(x);
  return Meta(x.dtype(), {x.numel()});
}

// Crashes for tensors of eight elements.
Result crashes_at_eight(Call& call, const View& x) {
  check_f32(x);
  if (x.dim() > 0 && x.size(-1) == 8) std::raise(SIGSEGV);
  return scaled(call, x, 1);
}

}  // namespace

ERSATZ_PLUGIN(p) {
  p.op("zoo::scale(Tensor x, float factor=2.0) -> Tensor").kernel(scale).rule(scale_rule).sample("f32[3,4], 0.5");
  p.op("zoo::keeps_order(Tensor x) -> Tensor").kernel(keeps_order).rule(like).sample("f32[2,3,4]");
  p.op("zoo::promotes(Tensor x, Tensor y) -> Tensor").kernel(promotes).rule(promotes_rule).sample("f32[3,4], f32[3,4]");
  p.op("zoo::aliases(Tensor x) -> Tensor").kernel(aliases).rule(like).sample("f32[3,4]");
  p.op("zoo::writes_input(Tensor x) -> Tensor").kernel(writes_input).rule(like).sample("f32[3,4]");
  p.op("zoo::leaves_last(Tensor x) -> Tensor").kernel(leaves_last).rule(like).sample("f32[3,4]");
  p.op("zoo::past_end(Tensor x) -> Tensor").kernel(past_end).rule(like).sample("f32[3,4]");
  p.op("zoo::positive(Tensor x) -> Tensor").kernel(positive).rule(positive_rule).sample("f32[3,4]");
  p.op("zoo::crashes_at_eight(Tensor x) -> Tensor").kernel(crashes_at_eight).rule(like).sample("f32[3,4]");
}
