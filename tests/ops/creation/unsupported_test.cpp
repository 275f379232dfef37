// Constructors whose names ersatz knows but refuses.
#include <gmock/gmock.h>

#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/refused_names.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

TEST(UnsupportedConstructors, SayWhatIsMissingAndWhatWouldWork) {
  for (const char* name : {"aten.ones.names", "aten.randn.names", "aten.empty.names"}) {
    const Value size[] = {Value::int_list(std::vector<int64_t>{2})};
    const std::vector<std::pair<std::string, Value>> names{{"names", Value()}};
    try {
      call(op_named(name), size, names);
      FAIL() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
      EXPECT_THAT(e.message, testing::HasSubstr(name));
      EXPECT_EQ(e.suggestion, "leave the names out");
    }
  }
}

// OPS-04: operators that make a sparse tensor are refused in one line, also under a mode.
TEST(RefusedNames, SayWhatIsMissingAndWhatWouldWork) {
  const FakeMode mode;
  const FakeScope scope(mode);
  for (const char* name : {"aten._sparse_coo_tensor_with_dims_and_tensors.default", "aten::sparse_coo_tensor.size",
                           "torch.ops.aten.coalesce.default"}) {
    try {
      call(name, {});
      FAIL() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::NotSupported);
      EXPECT_EQ(e.message,
                fmt::format("{} is refused by name: sparse layouts are not supported; leave the tensor dense", name));
    }
  }
}
TEST(RefusedNames, AreNamespacesOperatorsAndBeginnings) {
  EXPECT_EQ(refusal_by_name("c10d.allreduce_.default"),
            "refused by name: only the functional collectives have rules; call those of "
            "torch.distributed._functional_collectives");
  EXPECT_EQ(
      refusal_by_name("quantized.add.default"),
      "refused by name: quantised dtypes are not supported; keep the numbers as integers, with scale and zero point");
  EXPECT_EQ(refusal_by_name("aten.quantize_per_tensor.default").substr(0, 35), "refused by name: quantised dtypes a");
  for (const char* name : {"aten.no_such_op.default", "nobody.has", "quantizedx.add", "aten.coalescex", ""})
    EXPECT_EQ(refusal_by_name(name), "") << name;
}
TEST(RefusedNames, AreOneOverloadOfOperatorThatIsThere) {
  EXPECT_EQ(refusal_by_name("aten.set_.source_Storage"),
            "refused by name: storages are no arguments; pass a tensor on the storage, as set_.source_Tensor takes it");
  EXPECT_EQ(refused_name("aten.set_.source_Tensor"), nullptr);
  EXPECT_EQ(refusal_by_name("aten.set_.source_Store"), "");
}
TEST(RefusedNames, SayWhereElseAnOperatorRuns) {
  EXPECT_EQ(refusal_by_name("aten::miopen_rnn"),
            "refused by name: this is another backend's form of an operator; call the operator without the prefix");
  EXPECT_EQ(
      refusal_by_name("aten._flash_attention_forward.quantized"),
      "refused by name: floats of 8 bits are not supported; keep them in bf16 or f16, and multiply by the scales");
}
TEST(RefusedNames, AreNoneThatIsRegistered) {
  EXPECT_EQ(refused_name("aten.fake_quantize_per_tensor_affine.default"), nullptr);
  EXPECT_NE(refused_name("aten.fake_quantize_per_channel_affine.default"), nullptr);
  EXPECT_EQ(refused_name("aten._nested_tensor_from_mask.default"), nullptr);
}
}  // namespace
}  // namespace ersatz
