// histc on CUDA. Integers are counted as i64. The host reads the range of the elements, so it waits for the device.
#include "kernels/indexing/device_bins.h"
#include "kernels/sorting/even_bins.h"
#include "kernels/sorting/histogram_range.h"

namespace ersatz::op_histogram {
namespace {

using namespace device_index;

constexpr DTypeSet kWide{DType::I64, DType::F32, DType::F64};

template <class T>
struct EvenBins {
  const T* x;
  T low, high;
  int64_t bins;
  ERSATZ_DEVICE int64_t operator()(int64_t i) const { return even_bin<T>(x[i], low, high, bins); }
};

template <class T>
void count(const KernelCall& call, const Tensor& self, T low, T high) {
  const int64_t n = self.numel().as_int();
  if (low == high && n > 0) std::tie(low, high) = ends_of<T>(self);
  if (low == high) {
    low -= low > std::numeric_limits<T>::lowest();
    high += high < std::numeric_limits<T>::max();
  }
  require_finite(call, {static_cast<double>(low), static_cast<double>(high)});
  const Tensor& hist = call.outputs[0];
  const int64_t bins = hist.numel().as_int();
  const EvenBins<T> find{n == 0 ? nullptr : reinterpret_cast<const T*>(self.raw_data()), low, high, bins};
  copy_elements(hist, counts_of(self.device(), find, n, bins));
}

void histc_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kHistc["self"]);
  const Scalar low = call.scalar(kHistc["min"]), high = call.scalar(kHistc["max"]);
  const DType dtype = is_integer(self.dtype()) ? DType::I64 : self.dtype();
  const Tensor dense = dense_as(self, dtype);
  dispatch_dtype<kWide>(dtype, [&]<class T>() { count<T>(call, dense, low.to<T>(), high.to<T>()); });
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.histc.default", histc_cuda); }

}  // namespace ersatz::op_histogram
