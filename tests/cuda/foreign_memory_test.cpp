// Bool elements whose bytes are neither 0 nor 1, on both devices: each byte but 0 is true.
#include <gtest/gtest.h>

#include "fake/crosscheck/value_compare.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/meta_text.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

/// Returns bools. Their bytes are 0, 2, 255, 1, 128, 0, 64 and so on; with `plain` 0, 1, 1, 1, 1, 0, 1.
Tensor bools(const DimVec& sizes, Device device, bool plain) {
  static constexpr uint8_t kBytes[] = {0, 2, 255, 1, 128, 0, 64};
  const Tensor t = make_real_tensor(TensorMeta(DType::U8, sizes));
  for (int64_t i = 0; i < t.numel().as_int(); ++i) t.data<uint8_t>()[i] = plain ? kBytes[i % 7] != 0 : kBytes[i % 7];
  return call("aten.view.dtype", {tensor_on(device, t), DType::Bool})[0].tensor();
}

/// Returns the results of a call, on the CPU. Each bool tensor of the text is replaced by bools().
std::vector<Tensor> answer(const OpEntry& op, const char* arguments, Device device, bool plain) {
  const auto replaced = [&](const Value& v) {
    const bool is_bool = v.is_tensor() && v.tensor().dtype() == DType::Bool;
    return is_bool ? Value(bools(v.tensor().meta().sizes, device, plain)) : v;
  };
  const std::vector<Value> args =
      map_leaves(std::span<const Value>(arguments_on(device, sample_arguments(op, arguments, 0, 9))), replaced);
  std::vector<Tensor> results;
  for_each_tensor(dispatch(op, args), [&](TensorImpl* t) { results.push_back(tensor_on(kCPU, Tensor(Ref(t)))); });
  return results;
}

/// Expects the same results for bytes other than 0 and 1, on both devices.
void expect_reads_bytes(const char* op, const char* arguments) {
  const std::vector<Tensor> want = answer(op_named(op), arguments, kCPU, true);
  for (const Device device : {kCPU, cuda(0)}) {
    const std::vector<Tensor> have = answer(op_named(op), arguments, device, false);
    ASSERT_EQ(have.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      ASSERT_TRUE(sym_eq(have[i].sizes(), want[i].sizes())) << op << ": " << to_string(have[i].meta());
      const auto difference = compare_values(have[i], want[i], tolerance_of(want[i].dtype()));
      EXPECT_FALSE(difference) << op << "(" << arguments << ") on " << to_string(device) << ": "
                               << to_string(*difference);
    }
  }
}

TEST(ForeignMemory, BoolIsTrueUnlessItsByteIsZero) {
  constexpr std::pair<const char*, const char*> kCalls[] = {
      {"aten.logical_not.default", "bool[83]"},
      {"aten.bitwise_not.default", "bool[83]"},
      {"aten._to_copy.default", "bool[83], dtype=f32"},
      {"aten._to_copy.default", "bool[83], dtype=f16"},
      {"aten._to_copy.default", "bool[83], dtype=i64"},
      {"aten._to_copy.default", "bool[83], dtype=u8"},
      {"aten._to_copy.default", "bool[9,7]{1,9}, dtype=c64"},
      {"aten.add.Tensor", "bool[83], f32[83]"},
      {"aten.add.Tensor", "bool[83], bool[83]"},
      {"aten.mul.Tensor", "bool[83], i64[83]"},
      {"aten.eq.Tensor", "bool[83], bool[83]"},
      {"aten.eq.Scalar", "bool[83], True"},
      {"aten.lt.Tensor", "bool[7,9], bool[9]"},
      {"aten.logical_xor.default", "bool[7,9], bool[9]"},
      {"aten.bitwise_and.Tensor", "bool[83], bool[83]"},
      {"aten.bitwise_xor.Tensor", "bool[83], bool[83]"},
      {"aten.maximum.default", "bool[83], bool[83]"},
      {"aten.where.self", "bool[83], f32[83], f32[83]"},
      {"aten.where.self", "bool[7,9], f64[9], f64[7,1]"},
      {"aten.masked_fill.Scalar", "f16[83], bool[83], 3"},
      {"aten.masked_scatter.default", "f32[83], bool[83], f32[83]"},
      {"aten.masked_select.default", "f32[83], bool[83]"},
      {"aten.nonzero.default", "bool[7,9]"},
      {"aten.sum.dim_IntList", "bool[7,90], [1]"},
      {"aten.sum.dim_IntList", "bool[90,8], [0]"},
      {"aten.sum.default", "bool[20001]"},
      {"aten.prod.dim_int", "bool[7,9], 1"},
      {"aten.count_nonzero.dim_IntList", "bool[7,90], [1]"},
      {"aten.any.dim", "bool[7,90], 1"},
      {"aten.all.dim", "bool[7,90], 1"},
      {"aten.amax.default", "bool[7,90], [1]"},
      {"aten.amin.default", "bool[90,8], [0]"},
      {"aten.cumsum.default", "bool[7,90], 1"},
      {"aten.cummax.default", "bool[7,90], 1"},
      {"aten.argmax.default", "u8[7,90], 1"},
      {"aten.logical_not_.default", "bool[83]"},
      {"aten.masked_fill_.Scalar", "bool[83], bool[83], True"},
      {"aten.cat.default", "[bool[7], bool[9]]"},
      {"aten.sort.stable", "bool[83], stable=True"},
      {"aten._unique2.default", "bool[83], True, True, True"},
      {"aten.index_select.default", "bool[10,3], 0, i64[4]"},
      {"aten.gather.default", "bool[10,3], 0, i64[4,3]"},
      {"aten.flip.default", "bool[9,3], [0]"},
      {"aten.tril.default", "bool[9,7]"},
      {"aten.equal.default", "bool[83], bool[83]"},
  };
  for (const auto& [op, arguments] : kCalls) expect_reads_bytes(op, arguments);
}

}  // namespace
}  // namespace ersatz
