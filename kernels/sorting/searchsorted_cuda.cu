// searchsorted and bucketize on CUDA. One thread makes the binary search for one number.
#include "kernels/indexing/device_index.h"
#include "kernels/sorting/lookup.h"
#include "kernels/sorting/searchsorted.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_searchsorted {
namespace {

using namespace device_index;

/// The indices of a sorter, clamped to the sequence.
struct Sorter {
  const int64_t* at;  // null if the sequences are sorted
  int64_t n;
  ERSATZ_DEVICE explicit operator bool() const { return at != nullptr; }
  ERSATZ_DEVICE int64_t operator[](int64_t i) const { return at[i] < 0 ? 0 : at[i] < n ? at[i] : n - 1; }
};

std::string noted_position_words(const cuda_module::NotedValue& v) {
  return sorter_words(static_cast<int64_t>(v.value), v.size);
}

template <class T>
struct Find {
  const T* sequences;
  const int64_t* sorter;  // null if the sequences are sorted
  const T* values;
  int64_t n, row;
  bool right, narrow;
  std::byte* out;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t first = i / row * n;
    const int64_t found =
        position(sequences + first, Sorter{sorter ? sorter + first : nullptr, n}, n, Compute_t<T>(values[i]), right);
    if (narrow) {
      reinterpret_cast<int32_t*>(out)[i] = static_cast<int32_t>(found);
    } else {
      reinterpret_cast<int64_t*>(out)[i] = found;
    }
  }
};

void run(KernelCall& call, Tensor sequences, const Tensor& sorter, const Value& given, bool right) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Device device = sequences.device();
  ResultType common(call.context.default_dtype);
  common.add(sequences.meta());
  common.add(given);
  sequences = dense_as(sequences, common.result());
  const Tensor numbers = given.is_tensor() ? dense_as(moved_to(device, given.tensor()), common.result())
                                           : number_on(device, common.result(), given.as_scalar());
  DenseOutput out(call.outputs[0]);
  const int64_t n = sequences.sizes().back().as_int(), count = numbers.numel().as_int();
  // The numbers that belong to one sequence are adjacent.
  const int64_t row = sequences.dim() > 1 ? numbers.sizes().back().as_int() : count;
  dispatch_dtype<kReals>(common.result(), [&]<class T>() {
    cuda_module::launch_each(device.index, count,
                             Find<T>{n == 0 ? nullptr : reinterpret_cast<const T*>(sequences.raw_data()),
                                     sorter && n > 0 ? reinterpret_cast<const int64_t*>(sorter.raw_data()) : nullptr,
                                     reinterpret_cast<const T*>(numbers.raw_data()), n, row, right,
                                     out.tensor.dtype() == DType::I32, out.tensor.raw_data()});
  });
  out.finish();
}

void searchsorted_cuda(KernelCall& call) {
  const Tensor sequences = call.tensor(kSearchsorted["sorted_sequence"]);
  Tensor sorter;
  if (call.has(kSearchsorted["sorter"])) {
    sorter = dense_input(moved_to(sequences.device(), call.tensor(kSearchsorted["sorter"])));
    const int64_t n = sequences.sizes().back().as_int();
    note_outside(index_within(sorter, sorter.device(), 0, n, checks_at_once(), {.words = noted_position_words},
                              [&](const Tensor& host) { require_positions(call, IndexValues(host), n); }));
  }
  run(call, sequences, sorter, call[kSearchsorted["self"]], looks_right(call));
}

void bucketize_cuda(KernelCall& call) {
  run(call, call.tensor(kBucketize["boundaries"]), Tensor(), call[kBucketize["self"]],
      call.boolean(kBucketize["right"]));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.searchsorted.Tensor", searchsorted_cuda);
  cuda_module::attach(registry, "aten.searchsorted.Scalar", searchsorted_cuda);
  cuda_module::attach(registry, "aten.bucketize.Tensor", bucketize_cuda);
  cuda_module::attach(registry, "aten.bucketize.Scalar", bucketize_cuda);
}

}  // namespace ersatz::op_searchsorted
