// isin on CUDA. Elements and test elements are converted to keys (sort_key.h). Each element is compared with all test
// elements if they are few. Otherwise the test elements are sorted, and each element is looked up in them by binary
// search.
#include "kernels/sorting/isin.h"
#include "kernels/sorting/sorted_rows.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_isin {
namespace {

using namespace device_index;

constexpr int64_t kFew = 8;

struct IsAmong {
  uint8_t* to;
  const uint64_t* elements;
  const uint64_t* tests;
  int64_t n;
  bool sorted, floats, invert;
  uint64_t nan;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const uint64_t key = elements[i];
    bool found = false;
    if (floats && key == nan) {  // a NaN equals nothing
    } else if (!sorted) {
      for (int64_t k = 0; k < n; ++k) found = found || tests[k] == key;
    } else {
      int64_t low = 0, high = n;
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const bool behind = tests[middle] >= key;
        (behind ? high : low) = behind ? middle : middle + 1;
      }
      found = low < n && tests[low] == key;
    }
    to[i] = found != invert;
  }
};

/// Returns an operand's elements in `dtype`, on the device.
Tensor operand(Device device, const Value& side, DType dtype) {
  return side.is_tensor() ? dense_as(moved_to(device, side.tensor()), dtype)
                          : number_on(device, dtype, side.as_scalar());
}

void run_cuda(KernelCall& call) {
  const int64_t count = call.outputs[0].numel().as_int();
  if (count == 0) return;
  ResultType common(call.context.default_dtype);
  common.add(call[kIsin["{0}"]]);
  common.add(call[kIsin["{1}"]]);
  const DType dtype = common.result();
  const Device on = call.outputs[0].device();
  const int device = on.index;
  const Tensor elements = operand(on, call[kIsin["{0}"]], dtype), tests = operand(on, call[kIsin["{1}"]], dtype);
  const int64_t n = tests.numel().as_int();
  const int bits = static_cast<int>(8 * item_size(dtype));
  const cuda_module::DeviceScratch element_keys(device, count * 8), test_keys(device, n * 8);
  device_sort::encode(elements, device_sort::RowShape(elements, -1), false, -1, element_keys.as<uint64_t>());
  if (n > 0) device_sort::encode(tests, device_sort::RowShape(tests, -1), false, -1, test_keys.as<uint64_t>());
  const bool few = n <= kFew;
  const cuda_module::DeviceScratch sorted(device, few ? 0 : n * 8), values(device, few ? 0 : n * 16);
  if (!few) {
    // sort_pairs also sorts values, which are not used here.
    int64_t* unused = values.as<int64_t>();
    cuda_module::launch_each(device, n, device_sort::detail::CountUp{unused});
    cuda_module::sort_pairs(device, n, bits, test_keys.as<uint64_t>(), sorted.as<uint64_t>(), unused, unused + n);
  }
  DenseOutput out(call.outputs[0]);
  cuda_module::launch_each(
      device, count,
      IsAmong{reinterpret_cast<uint8_t*>(out.tensor.raw_data()), element_keys.as<uint64_t>(),
              few ? test_keys.as<uint64_t>() : sorted.as<uint64_t>(), n, !few, is_float(dtype),
              call.boolean(kIsin["invert"]), bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1});
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.isin.Tensor_Tensor", "aten.isin.Tensor_Scalar", "aten.isin.Scalar_Tensor"}) {
    cuda_module::attach(registry, name, run_cuda);
  }
}

}  // namespace ersatz::op_isin
