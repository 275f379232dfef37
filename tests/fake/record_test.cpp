// TensorRecord: its fields, equality and hash.
#include "fake/object/tensor_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unordered_set>

#include "fake/mode/fake_mode.h"
#include "runtime/sym/sym_expr.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

// TENSOR-06: a record has every field
TEST(TensorRecord, HoldsAllMetadata) {
  FakeMode mode;
  const TensorRecord r = record_of(mode.make(meta_of("c64[2,3]{3,1}+4@cuda:1 conj neg grad"), SymInt(256)));
  EXPECT_EQ(r.dtype, DType::C64);
  EXPECT_EQ(r.shape.size(), 2u);
  EXPECT_EQ(r.shape[1].as_int(), 3);
  EXPECT_EQ(r.stride[0].as_int(), 3);
  EXPECT_EQ(r.device, cuda(1));
  EXPECT_EQ(r.layout, Layout::Strided);
  EXPECT_EQ(r.memory_format, MemoryFormat::Contiguous);
  EXPECT_EQ(r.offset.as_int(), 4);
  EXPECT_EQ(r.storage_bytes->as_int(), 256);
  EXPECT_TRUE(r.conj && r.neg && r.requires_grad);
  EXPECT_FALSE(r.inference || r.quantized || r.sparse || r.coalesced || r.dense_dim || r.sparse_dim);
}

// TENSOR-06: a record has a memory format only if the tensor is contiguous in it
TEST(TensorRecord, NamesAMemoryFormatOnlyOfContiguousTensors) {
  FakeMode mode;
  const auto format = [&](const char* meta) { return record_of(mode.make(meta_of(meta))).memory_format; };
  EXPECT_EQ(format("f32[2,3,4,5]{60,1,15,3}"), MemoryFormat::ChannelsLast);
  EXPECT_EQ(format("f32[2,3]{1,2}"), std::nullopt);
  EXPECT_EQ(format("f32[2,3]"), MemoryFormat::Contiguous);
}

// TENSOR-06: records that differ in one field are unequal and have different hashes
TEST(TensorRecord, TellsApartWhatDiffersInAnyField) {
  FakeMode mode;
  std::vector<TensorRecord> records;
  for (const char* meta :
       {"f32[2,3]", "f64[2,3]", "f32[3,2]", "f32[2,3]{1,2}", "f32[2,3]+1", "f32[2,3]@cuda:0", "f32[2,3]@meta",
        "c64[2,3]", "c64[2,3] conj", "c64[2,3] neg", "f32[2,3] grad", "f32[2,1]", "f32[2,1]{1,7}", "f32[]"}) {
    records.push_back(record_of(mode.make(meta_of(meta), SymInt(512))));
  }
  records.push_back(record_of(mode.make(meta_of("f32[2,3]"), SymInt(500))));
  TensorMeta inference = meta_of("f32[2,3]");
  inference.inference = true;
  records.push_back(record_of(mode.make(inference, SymInt(512))));
  for (size_t i = 0; i < records.size(); ++i) {
    for (size_t j = 0; j < records.size(); ++j) EXPECT_EQ(records[i] == records[j], i == j) << i << " " << j;
  }
  const std::unordered_set<TensorRecord> set(records.begin(), records.end());
  EXPECT_EQ(set.size(), records.size());
  EXPECT_TRUE(set.contains(record_of(mode.make(meta_of("f32[2,3]@cuda:0"), SymInt(512)))));
}

// TENSOR-06: the record of a fake equals that of its real tensor; symbols are compared by expression
TEST(TensorRecord, OfAFakeEqualsItsRealTensors) {
  FakeMode mode;
  const Tensor real = ones_f32({2, 3});
  EXPECT_EQ(record_of(mode.from_tensor(real)), record_of(real));
  EXPECT_EQ(record_of(mode.from_tensor(real)).hash(), record_of(real).hash());

  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4);
  const auto of_size = [&](SymInt n) { return record_of(mode.make(TensorMeta(DType::F32, DimVec{n, 3}))); };
  EXPECT_EQ(of_size(s + s), of_size(2 * s));
  EXPECT_NE(of_size(s), of_size(SymInt(4)));
  EXPECT_TRUE(env.guards().empty());
}

}  // namespace
}  // namespace ersatz
