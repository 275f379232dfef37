#include "kernels/dense_operand.h"
#include "kernels/sorting/lookup.h"
#include "kernels/sorting/searchsorted.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_searchsorted {
namespace {

struct Lookup {
  Tensor sequences, sorter;  ///< both are row-major; without a sorter, the sequences are sorted
  Value numbers;             ///< a tensor or a number
  bool right = false;
};

/// Returns the elements of `t` as a row-major tensor of dtype `dtype`.
Tensor dense_as(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return dense_input(t);
  const Tensor converted = make_real_tensor(TensorMeta(dtype, t.sizes()));
  if (t.numel().as_int() > 0) copy_elements(converted, t);
  return converted;
}

template <class T>
void find(const Lookup& lookup, const Tensor& numbers, const Tensor& out) {
  using C = Compute_t<T>;
  const int64_t n = lookup.sequences.sizes().back().as_int(), count = numbers.numel().as_int();
  // The numbers that belong to one sequence are adjacent.
  const int64_t row = lookup.sequences.dim() > 1 ? numbers.sizes().back().as_int() : count;
  const T* sequences = reinterpret_cast<const T*>(lookup.sequences.raw_data());
  const int64_t* sorter = lookup.sorter ? lookup.sorter.data<int64_t>() : nullptr;
  const T* values = reinterpret_cast<const T*>(numbers.raw_data());
  parallel_for(count, 1 << 10, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i / row * n;
      const int64_t found =
          position(sequences + first, sorter ? sorter + first : nullptr, n, C(values[i]), lookup.right);
      if (out.dtype() == DType::I32) {
        out.data<int32_t>()[i] = static_cast<int32_t>(found);
      } else {
        out.data<int64_t>()[i] = found;
      }
    }
  });
}

void run(KernelCall& call, Lookup lookup) {
  if (call.outputs[0].numel().as_int() == 0) return;
  ResultType common(call.context.default_dtype);
  common.add(lookup.sequences.meta());
  common.add(lookup.numbers);
  lookup.sequences = dense_as(lookup.sequences, common.result());
  Tensor numbers;
  if (lookup.numbers.is_tensor()) {
    numbers = dense_as(lookup.numbers.tensor(), common.result());
  } else {
    numbers = make_real_tensor(TensorMeta(common.result(), std::span<const SymInt>()));
    const Scalar number = lookup.numbers.as_scalar();
    dispatch_dtype<kReals>(common.result(),
                           [&]<class T>() { *reinterpret_cast<T*>(numbers.raw_data()) = number.to<T>(); });
  }
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kReals>(common.result(), [&]<class T>() { find<T>(lookup, numbers, out.tensor); });
  out.finish();
}

}  // namespace

void run_searchsorted_cpu(KernelCall& call) {
  Lookup lookup{call.tensor(kSearchsorted["sorted_sequence"]), Tensor(), call[kSearchsorted["self"]],
                looks_right(call)};
  if (call.has(kSearchsorted["sorter"])) {
    lookup.sorter = dense_input(call.tensor(kSearchsorted["sorter"]));
    const size_t count = static_cast<size_t>(lookup.sorter.numel().as_int());
    if (count > 0) {
      require_positions(call, {lookup.sorter.data<int64_t>(), count}, lookup.sequences.sizes().back().as_int());
    }
  }
  run(call, std::move(lookup));
}

void run_bucketize_cpu(KernelCall& call) {
  run(call, Lookup{call.tensor(kBucketize["boundaries"]), Tensor(), call[kBucketize["self"]],
                   call.boolean(kBucketize["right"])});
}

}  // namespace ersatz::op_searchsorted
