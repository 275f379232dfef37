// A plugin in C++ with functions that do not fit their schemas. ERSATZ_TEST_FAULT chooses the function.
#include <cstdlib>

#include "runtime/plugin/plugin_op.h"

using namespace ersatz::plugin;

namespace {

Result copies(Call& call, const View& x) { return call.allocate(x.dtype(), x.sizes()); }
Meta same(const View& x) { return Meta(x.dtype(), x.sizes()); }
std::tuple<Meta, Meta> two(const View& x) { return {same(x), same(x)}; }
double number(const View&) { return 1; }
Meta of_two(const View& x, const View&) { return same(x); }
Meta scaled(const View& x, double) { return same(x); }
Meta maybe(const View& x, std::optional<double>) { return same(x); }
Meta listed(const std::vector<View>& x, std::vector<int64_t>) { return same(x.at(0)); }
Meta cautious(const std::optional<View>& x) { return same(*x); }

/// Reads elements as f32 and writes elements as f64, whatever the dtypes are.
Result hasty(Call& call, const View& x) {
  const auto ends = [&] { return Dims{x.sizes().begin(), x.sizes().end()}; };
  require(ends() == x.sizes(), "C1", "both ends of x.sizes() are of one list");
  Result out = call.allocate(x.dtype() == DType::F32 ? DType::I64 : DType::F64, x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) out.at<double>(i) = x.at<float>(i);
  return out;
}
/// Reads and writes elements through types that are not arithmetic.
Result raw(Call& call, const View& x) {
  struct Half {
    uint16_t bits;
  };
  Result out = call.allocate(x.dtype(), x.sizes());
  if (x.dtype() == DType::BF16) out.at<const Half>(0), out.at<uint16_t>(0) = x.at<Half>(0).bits;
  if (x.dtype() == DType::C64) out.at<std::complex<float>>(0) = x.at<std::complex<float>>(0);
  if (x.dtype() == DType::Bool) out.at<bool>(0) = x.at<bool>(0);
  if (x.dtype() == DType::U8) out.data<std::byte>()[0] = x.data<std::byte>()[0];
  return out;
}

}  // namespace

ERSATZ_PLUGIN(p) {
  const char* text = std::getenv("ERSATZ_TEST_FAULT");
  const std::string fault = text ? text : "";
  // In these cases the plugin has only this op, because a library with a usable op is loaded and not refused.
  if (fault == "kernel") return void(p.op("misfit::pair(Tensor x, Tensor y) -> Tensor").kernel(copies));
  if (fault == "cuda kernel") return void(p.op("misfit::pair(Tensor x, Tensor y) -> Tensor").cuda_kernel(copies));
  if (fault == "type") return void(p.op("misfit::typed(Tensor x, int k) -> Tensor").kernel(scaled));
  if (fault == "optional") return void(p.op("misfit::typed(Tensor x, float? k) -> Tensor").kernel(maybe).rule(scaled));
  Op& op = p.op("misfit::op(Tensor x) -> Tensor").kernel(copies).rule(same).sample("f32[2,3]");
  if (fault == "results") op.rule(two);
  if (fault == "number") op.rule(number);
  if (fault == "arguments") op.rule(of_two);
  if (fault == "sample") op.sample("f32[3,");
  if (fault == "sample count") op.sample("f32[3], f32[3]");
  if (fault == "sample type") op.sample("2.0, 3");
  if (fault == "huge sample") op.sample("f32[1000000000,1000000000,1000000000]");
  if (fault == "policies") op.flag(ERSATZ_FALLBACK_ZEROS).flag(ERSATZ_FALLBACK_REFUSE);
  if (fault.empty()) {
    // These functions fit their schemas, although their C++ types differ from the schemas' types.
    p.op("misfit::maybe(Tensor x, float k) -> Tensor").kernel(maybe).rule(maybe);
    p.op("misfit::listed(Tensor[] x, SymInt[2] k) -> Tensor").kernel(listed).rule(listed);
    p.op("misfit::scaled(Tensor x, Scalar k) -> Tensor").kernel(scaled).rule(scaled);
    p.op("misfit::cautious(Tensor? x) -> Tensor").kernel(cautious).rule(cautious);
    p.op("misfit::hasty(Tensor x) -> Tensor").kernel(hasty);
    p.op("misfit::raw(Tensor x) -> Tensor").kernel(raw);
    // These functions do not fit. The other ops of the plugin must load nevertheless.
    p.op("misfit::pair(Tensor x) -> (Tensor, Tensor)").kernel(copies);
    p.op("misfit::listed_return(Tensor x) -> Tensor[]").kernel(copies);
  }
}
