// The sample inputs of a `.pt2` archive: tensors and numbers are read, and a pickle executes nothing.
#include "tracer/pt2/sample_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/archive/zip_writer.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

/// Returns the bytes of a `model.pt` with this pickle, and with a storage of the elements 0 to 5.
std::string model_pt(const std::string& pickle) {
  const std::string path = (std::filesystem::temp_directory_path() / "ersatz_sample_inputs_test.pt").string();
  const float elements[] = {0, 1, 2, 3, 4, 5};
  ZipWriter writer(path);
  writer.add("archive/data.pkl", std::as_bytes(std::span(pickle)));
  writer.add("archive/byteorder", std::as_bytes(std::span("little", 6)));
  writer.add("archive/data/0", std::as_bytes(std::span(elements)));
  writer.finish();
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  std::filesystem::remove(path);
  return bytes.str();
}

std::string refusal(const std::string& pickle) {
  try {
    parse_sample_inputs(model_pt(pickle), "model.pt");
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

std::string text(const std::string& word) {
  return "X" + std::string(1, static_cast<char>(word.size())) + std::string(3, '\0') + word;
}
std::string small(int n) { return std::string("K") + static_cast<char>(n); }

/// Returns the pickle of a tensor with sizes [size, 2] and strides [stride, 1] in the storage.
std::string tensor(int offset, int size, int stride) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") +
         text("cpu") + small(6) + "tQ" + small(offset) + small(size) + small(2) + "\x86" + small(stride) + small(1) +
         "\x86\x89"
         "ccollections\nOrderedDict\n)RtR";
}

TEST(SampleInputs, TensorsAndNumbersComeInOrder) {
  const std::vector<Value> leaves = parse_sample_inputs(
      model_pt("\x80\x02(" + tensor(1, 2, 3) + small(7) + "\x88t}" + text("k") + "Ns\x86."), "model.pt");
  ASSERT_EQ(leaves.size(), 3u);
  ASSERT_TRUE(leaves[0].is_tensor());
  const Tensor& t = leaves[0].tensor();
  EXPECT_EQ(t.dtype(), DType::F32);
  EXPECT_EQ(t.sizes()[0].as_int(), 2);
  EXPECT_EQ(t.strides()[0].as_int(), 3);
  float got[5];
  std::memcpy(got, t.raw_data(), sizeof got);
  EXPECT_EQ(std::vector<float>(got, got + 5), std::vector<float>({1, 2, 3, 4, 5}));
}

TEST(SampleInputs, NothingOfAPickleIsExecuted) {
  EXPECT_THAT(refusal("cos\nsystem\n" + text("true") + "\x85R."),
              HasSubstr("names os system, which is not read here: nothing of a pickle is executed"));
  EXPECT_THAT(refusal("cbuiltins\neval\n" + text("1") + "\x85R."), HasSubstr("names builtins eval"));
  EXPECT_THAT(refusal("\x80\x02i."), HasSubstr("opcode 0x69"));
}

TEST(SampleInputs, TensorBeyondItsStorageIsRefused) {
  EXPECT_THAT(refusal(tensor(2, 2, 3) + "."), HasSubstr("a tensor goes beyond its storage '0'"));
  EXPECT_THAT(refusal(tensor(0, 255, 255) + "."), HasSubstr("a tensor goes beyond its storage '0'"));
}

TEST(SampleInputs, PickleThatTakesAbsentValuesIsRefused) {
  EXPECT_THAT(refusal("t."), HasSubstr("no mark"));
  EXPECT_THAT(refusal("\x86."), HasSubstr("takes what is not there"));
}

TEST(SampleInputs, CutOffPickleIsRefused) { EXPECT_THAT(refusal("X\xff\xff\xff\x7f"), HasSubstr("cut off")); }

TEST(SampleInputs, PickledListInsideItselfIsRefused) {
  EXPECT_THAT(refusal("]q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "a."), HasSubstr("nested too deep"));
}

TEST(SampleInputs, AnArchiveOfTorchHasThem) {
  const std::vector<Value> leaves = load_sample_inputs(*ZipArchive::open(committed_program("mlp")));
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_TRUE(leaves[0].is_tensor());
}

}  // namespace
}  // namespace ersatz
