// The plugin of docs/plugins.md: an op with a rule, one without, and one that writes an argument.
#include <ersatz/plugin_op.h>

#include <algorithm>
#include <numeric>

using namespace ersatz::plugin;

namespace {

// demo::leaky_mix returns leaky_relu((x + y) / 2, slope), stored column-major.

void check_mix(const View& x, const View& y) {
  require(x.sizes() == y.sizes(), "C1", "x and y must have the same sizes");
  require(x.dtype() == y.dtype() && (x.dtype() == DType::F32 || x.dtype() == DType::F64), "C2",
          "x and y must both be f32 or both f64");
}

Meta leaky_mix_rule(const View& x, const View& y, double) {
  check_mix(x, y);
  return Meta(x.dtype(), x.sizes(), column_major(x.sizes()));
}

template <class T>
void mix(const View& x, const View& y, double slope, const Result& out) {
  for (int64_t i = 0; i < x.numel(); ++i) {
    T mean = (x.at<T>(i) + y.at<T>(i)) / 2;
    out.at<T>(i) = mean > 0 ? mean : static_cast<T>(slope) * mean;
  }
}

Result leaky_mix(Call& call, const View& x, const View& y, double slope) {
  check_mix(x, y);
  Result out = call.allocate(x.dtype(), x.sizes(), column_major(x.sizes()));
  x.dtype() == DType::F32 ? mix<float>(x, y, slope, out) : mix<double>(x, y, slope, out);
  return out;
}

// demo::top_pairs returns the k largest elements of each row and their indices, descending. It has no rule: its kernel
// is run to find the metadata of its results.

std::tuple<Result, Result> top_pairs(Call& call, const View& x, int64_t k) {
  require(x.dtype() == DType::F32, "C1", "x must be f32");
  require(x.dim() >= 1, "C2", "x must have a dim");
  require(k >= 0 && k <= x.size(-1), "C3", "k must lie between 0 and the last dim's size");
  Dims sizes = x.sizes();
  int64_t n = sizes.back();
  sizes.back() = k;
  Result values = call.allocate(DType::F32, sizes), places = call.allocate(DType::I64, sizes);
  std::vector<int64_t> order(static_cast<size_t>(n));
  int64_t rows = n == 0 ? 0 : x.numel() / n;
  for (int64_t row = 0; row < rows; ++row) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return x.at<float>(row * n + a) > x.at<float>(row * n + b); });
    for (int64_t j = 0; j < k; ++j) {
      int64_t place = order[static_cast<size_t>(j)];
      values.at<float>(row * k + j) = x.at<float>(row * n + place);
      places.at<int64_t>(row * k + j) = place;
    }
  }
  return {values, places};
}

// demo::add_into adds x to acc in place.

void check_add_into(const View& acc, const View& x) {
  require(acc.sizes() == x.sizes(), "C1", "acc and x must have the same sizes");
  require(acc.dtype() == DType::F32 && x.dtype() == DType::F32, "C2", "acc and x must be f32");
}

void add_into(const View& acc, const View& x) {
  check_add_into(acc, x);
  for (int64_t i = 0; i < x.numel(); ++i) acc.at<float>(i) += x.at<float>(i);
}

}  // namespace

ERSATZ_PLUGIN(p) {
  p.op("demo::leaky_mix(Tensor x, Tensor y, float slope=0.1) -> Tensor")
      .kernel(leaky_mix)
      .rule(leaky_mix_rule)
      .sample("f32[3,4], f32[3,4]")
      .sample("f64[2,5,7], f64[2,5,7], 0.5");
  p.op("demo::top_pairs(Tensor x, int k) -> (Tensor, Tensor)").kernel(top_pairs).sample("f32[3,4], 2");
  p.op("demo::add_into(Tensor(a!) acc, Tensor x) -> ()")
      .kernel(add_into)
      .rule(check_add_into)
      .sample("f32[3,4], f32[3,4]");
}
