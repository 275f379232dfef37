// Shape and creation ops on a CUDA device: layouts and sizes that the ops' samples leave out.
#include "runtime/op/dispatch.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(CudaShape, CopiesBetweenAnyStridesAndDtypes) {
  expect_agree("aten.clone.default", "f32[70,33,5]{1,70,2310}");
  expect_agree("aten.clone.default", "bool[7,9]{1,7}, memory_format=contiguous");
  expect_agree("aten._to_copy.default", "f32[300,7]{1,300}, dtype=bf16");
  expect_agree("aten._to_copy.default", "f64[9,1], dtype=c64");
  expect_agree("aten.copy_.default", "f16[40,30]{1,40}, f32[30]");
  expect_agree("aten.copy.default", "i64[4,3], bool[4,1]");
}

TEST(CudaShape, JoinsTensors) {
  expect_agree("aten.cat.default", "[f32[3,5]{1,3}, f32[0], f32[3,2]], 1");
  expect_agree("aten.cat.default", "[i32[300,7], f64[1,7]]");
  expect_agree("aten.cat.out", "[f16[2,3], f16[4,3]], 0, out=f16[6,3]{1,6}");
  expect_agree("aten.stack.default", "[bf16[3,4]{1,3}, bf16[3,4]], -1");
  expect_agree("aten.block_diag.default", "[f32[2,3], f32[], f32[4]]");
}

TEST(CudaShape, JoinsRowMajorTensorsTogether) {
  expect_agree("aten.cat.default", "[f32[30,4], f32[30,8], f32[30,12]], 1");
  expect_agree("aten.cat.default", "[bf16[3,5,7], bf16[3,0,7], bf16[0], bf16[3,2,7]], -2");
  expect_agree("aten.cat.default", "[bool[7], bool[90], bool[1]]");
  expect_agree("aten.stack.default", "[c128[4,3], c128[4,3], c128[4,3]], 1");
  expect_agree("aten.stack.default", "[f64[], f64[]]");
  std::string many = "[";
  for (int i = 0; i < 150; ++i) many += std::string(i ? ", " : "") + "i16[2," + std::to_string(i % 5) + "]";
  expect_agree("aten.cat.default", many + "], 1");
  // The views begin at addresses that are aligned only to the size of an element.
  const Tensor base = tensor_of<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {9});
  TensorMeta part = base.meta();
  part.sizes[0] = 4;
  part.offset = 1;
  const Tensor first = make_view(base, part);
  part.offset = 5;
  const std::vector<Value> parts = {Value(first), Value(make_view(base, part))};
  const Value args[] = {Value::list(parts), Value(int64_t(0))};
  expect_agree(op_named("aten.cat.default"), args, "views");
}

TEST(CudaShape, MovesElements) {
  expect_agree("aten.flip.default", "f32[5,1,7]{1,5,5}, [0, 2]");
  expect_agree("aten.flip.default", "bool[600], [0]");
  expect_agree("aten.roll.default", "i16[6,70], [-3, 100], [0, 1]");
  expect_agree("aten.roll.default", "f64[6,7]{1,6}, [11]");
  expect_agree("aten.rot90.default", "f32[4,5,6], 3, [2, 0]");
  expect_agree("aten.repeat.default", "f16[3,1]{1,5}, [2, 2, 3]");
  expect_agree("aten.constant_pad_nd.default", "f32[4,5]{1,4}, [-1, 2, 3, 0], 1.5");
  expect_agree("aten.constant_pad_nd.default", "bf16[4,0], [1, 1], -2");
}

TEST(CudaShape, FillsAnyStridesWithAnyDtype) {
  expect_agree("aten.fill_.Scalar", "f32[70,50]{60,1}, 2.5");
  expect_agree("aten.fill_.Scalar", "bool[1001], True");
  expect_agree("aten.fill_.Scalar", "c128[5,3]{1,5}, (1+2j)");
  expect_agree("aten.fill_.Tensor", "f16[33], f32[]");
  expect_agree("aten.zero_.default", "u8[9,9]{10,1}");
  expect_agree("aten.full.out", "[3, 4], 7, out=i64[3,4]{1,3}");
  expect_agree("aten.eye.m_out", "5, 3, out=f32[5,3]{1,5}");
}

TEST(CudaShape, FillsFromANumberOfAnotherDevice) {
  const Tensor to = tensor_on(cuda(0), tensor_of<float>({1, 2, 3}, {3}));
  const Value args[] = {Value(to), Value(tensor_of<double>({2.5}, {}))};
  Values results;
  dispatch(op_named("aten.fill_.Tensor"), args, results);
  const Tensor back = tensor_on(kCPU, to);
  EXPECT_EQ(back.data<float>()[0], 2.5f);
  EXPECT_EQ(back.data<float>()[2], 2.5f);
}

TEST(CudaShape, CutsTriangles) {
  expect_agree("aten.tril.default", "f32[70,90], -3");
  expect_agree("aten.triu.default", "bf16[2,3,5,4]{1,2,30,6}, 1");
  expect_agree("aten.triu.default", "c128[4,4], -9");
  expect_agree("aten.tril_.default", "i64[5,6,7]{1,5,30}, 2");
  expect_agree("aten.tril.default", "f32[2,1,2,3,2,2,2,2,3]{1,2,600,2,6,12,24,48,96}");
  expect_agree("aten.tril.default", "f32[0,3]");
}

TEST(CudaShape, SumsAndEmbedsDiagonals) {
  expect_agree("aten.trace.default", "f32[900,700]{1,900}");
  expect_agree("aten.trace.default", "bool[4,3]");
  expect_agree("aten.trace.default", "c64[3,3]");
  expect_agree("aten.trace.default", "f32[0,3]");
  expect_agree("aten.diag_embed.default", "f16[3,4]{1,3}, -1, 0, 2");
}

TEST(CudaShape, RepeatsAndReflectsBorders) {
  expect_agree("aten.reflection_pad1d.default", "f32[3,40], [5, 7]");
  expect_agree("aten.reflection_pad2d.default", "f16[2,3,9,8]{216,1,24,3}, [2, -1, 0, 3]");
  expect_agree("aten.reflection_pad2d.out", "f32[2,3,4], [1, 1, 1, 1], out=f32[2,5,6]{1,2,10}");
  expect_agree("aten.reflection_pad3d.default", "c64[2,3,4,5], [1, 2, 0, 1, 2, 2]");
  expect_agree("aten.replication_pad2d.default", "f64[2,3,9,8], [20, -1, 0, 3]");
  expect_agree("aten.replication_pad3d.default", "bf16[0,3,2,4,5], [1, 2, 0, 1, 2, 2]");
}

TEST(CudaShape, WritesPartsOfATensor) {
  expect_agree("aten.slice_scatter.default", "f32[40,5]{1,40}, f32[10,5], 0, 1, 21, 2");
  expect_agree("aten.select_scatter.default", "bf16[4,5], bf16[4], 1, 2");
  expect_agree("aten.as_strided_scatter.default", "f32[4,5], f32[3,2], [3, 2], [5, 2], 1");
  expect_agree("aten.select_backward.default", "f32[3,1], [3, 2, 4], 1, 1");
  expect_agree("aten.unfold_copy.default", "f32[30], 0, 7, 3");
}

TEST(CudaCreation, CountsAndDivides) {
  expect_agree("aten.arange.start_step", "3, -1000, -1.5, dtype=f64");
  expect_agree("aten.arange.out", "600, out=i16[600]{2}");
  expect_agree("aten.arange.default", "300, dtype=f16");
  expect_agree("aten.linspace.default", "-3, 7.5, 700");
  expect_agree("aten.linspace.out", "0, 9, 4, out=i64[4]{3}");
  expect_agree("aten.linspace.default", "(1+2j), 3, 5");
  expect_agree("aten.linspace.Tensor_Tensor", "f32[], f64[], 6");
  expect_agree("aten.logspace.default", "-2, 2, 50, 2.0, dtype=bf16");
  expect_agree("aten.logspace.default", "0, (1+1j), 5, 3.0");
}

TEST(CudaCreation, EndsOnDeviceDoNotPutResultThere) {
  const Tensor end = tensor_on(Device(DeviceType::CUDA, 0), tensor_of<double>({3}, {}));
  const std::vector<Value> args = {Value(1), end, Value(3)};
  for (const auto& [op, last] : {std::pair("aten.linspace.Scalar_Tensor", 3), {"aten.logspace.Scalar_Tensor", 1000}}) {
    const Tensor numbers = call(op_named(op), args)[0].tensor();
    EXPECT_TRUE(numbers.device().is_cpu()) << op;
    EXPECT_EQ(numbers.data<float>()[2], last) << op;
  }
}

TEST(CudaShape, SumsGradientOfPaddingWhereElementStands) {
  for (const char* op : {"reflection", "replication"}) {
    const std::string name = std::string("aten.") + op;
    expect_agree_for(kFloatsAndComplexes, name + "_pad1d_backward.default", "*[3,60], *[3,33], [20, 7]");
    expect_agree(name + "_pad1d_backward.default", "f32[3,4], f32[3,9], [-3, -2]");
    expect_agree(name + "_pad1d_backward.default", "f32[3,8], f32[3,9], [-4, 3]");
    expect_agree(name + "_pad2d_backward.default", "f32[2,5,11,9]{495,1,45,5}, f32[2,5,6,7], [1, 1, 5, 0]");
    expect_agree(name + "_pad2d_backward.default", "c64[2,3,4,9] conj, c64[2,3,6,7], [2, 0, -2, 0]");
    expect_agree(name + "_pad3d_backward.default", "f16[2,5,6,7,9], f16[2,5,4,6,7], [1, 1, 0, 1, 2, 0]");
    expect_agree(name + "_pad2d_backward.grad_input",
                 "f32[1,2,4,5], f32[1,2,3,3], [1, 1, 0, 1], grad_input=f32[1,2,3,3]{40,1,10,2}");
    expect_agree(name + "_pad1d_backward.default", "u8[0,3,6], u8[0,3,3], [1, 2]");
    expect_agree(name + "_pad3d_backward.default", "f32[0,2,3,3,3], f32[0,2,3,3,3], [0, 0, 0, 0, 0, 0]");
  }
  expect_agree("aten.replication_pad1d_backward.default", "f32[2,9], f32[2,1], [3, 5]");
}

TEST(CudaCreation, NumbersThePlacesOfTriangles) {
  for (const char* offset : {"-70", "-3", "0", "2", "40"}) {
    for (const char* op : {"aten.tril_indices.default", "aten.triu_indices.default"}) {
      expect_agree(op, std::string("33, 20, ") + offset);
      expect_agree(op, std::string("7, 60, ") + offset + ", dtype=i32");
    }
  }
}

TEST(CudaCreation, MakesComplexNumbers) {
  expect_agree("aten.complex.default", "f32[300,1], f32[7]");
  expect_agree("aten.polar.default", "f64[30,7]{1,30}, f64[30,7]");
  expect_agree("aten.complex.out", "f32[4,3], f32[4,3], out=c64[4,3]{1,4}");
}

TEST(CudaPointwise, FindsNeighboursOfHalves) {
  expect_agree("aten.nextafter.default", "bf16[300,3], bf16[3]");
  expect_agree("aten.nextafter.default", "f16[40,3]{1,40}, f16[40,1]");
}

TEST(CudaPointwise, GradientOfLogSigmoidReadsBufferThatFits) {
  for (const char* buffer : {"f32[5]", "f32[1]", "f32[]"})
    expect_agree("aten.log_sigmoid_backward.default", std::string("f32[5], f32[5], ") + buffer, 0.1, 1);
}

TEST(CudaPointwise, ComparesWholeTensors) {
  expect_agree("aten.equal.default", "f32[300,3], f32[300,3]{1,300}");
  expect_agree("aten.equal.default", "i64[300], i64[300]", 2, 2);
  expect_agree("aten.allclose.default", "f32[300,3], f32[3], 9.0, 9.0");
}

TEST(CudaGuard, LooksAtTheValueOnTheDevice) {
  expect_agree("aten._assert_async.msg", "f32[1,1], \"no\"", 1, 2);
  expect_agree("aten._assert_async.msg", "f32[1,1], \"no\"", 0, 0);
}

}  // namespace
}  // namespace ersatz
