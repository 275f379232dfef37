// Tensors of safetensors files: each dtype of the format, and files that are refused.
#include "tracer/tensors/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

std::string file_of(const std::string& header, const std::string& data = "") {
  std::string bytes(8, '\0');
  const uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}
std::string entry(const std::string& dtype, const std::string& shape, size_t begin, size_t end) {
  return fmt::format(R"({{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", dtype, shape, begin, end);
}
std::string refusal_of(const std::string& bytes) {
  try {
    parse_safetensors(bytes, "a.safetensors");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "";
}

TEST(Safetensors, EveryDtypeThatFormatNamesKeepsItsBytes) {
  std::string data(32, '\0');
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 37 + 1);
  int count = 0;
  for (const DTypeRow& row : kDTypeRows) {
    if (row.safetensors.empty()) continue;
    const auto bytes = static_cast<size_t>(2 * row.bytes);
    const NamedTensors tensors = parse_safetensors(
        file_of("{\"w\":" + entry(std::string(row.safetensors), "[2]", 0, bytes) + "}", data.substr(0, bytes)),
        "a.safetensors");
    const Tensor& t = tensors.at("w");
    EXPECT_EQ(to_string(t.meta()), fmt::format("{}[2]{{1}}+0@cpu", row.short_name));
    EXPECT_EQ(std::memcmp(t.raw_data(), data.data(), bytes), 0) << row.short_name;
    ++count;
  }
  EXPECT_EQ(count, 17);
}

TEST(Safetensors, SeveralTensorsInAnyOrderWithMetadata) {
  const std::string header = R"({"__metadata__":{"format":"pt"},"b":)" + entry("U8", "[2,1]", 4, 6) +
                             ",\"a\":" + entry("F32", "[]", 0, 4) + ",\"none\":" + entry("F8_E8M0", "[0,3]", 6, 6) +
                             "}  ";
  const NamedTensors tensors = parse_safetensors(file_of(header, std::string("\0\0\x80?", 4) + "\x07\x08"), "a");
  ASSERT_EQ(tensors.size(), 3);
  EXPECT_EQ(tensors.at("a").item_double(), 1);
  EXPECT_EQ(to_string(tensors.at("b")), "Tensor(u8[2,1]@cpu, [[7], [8]])");
  EXPECT_EQ(to_string(tensors.at("none").meta()), "f8e8m0fnu[0,3]{3,1}+0@cpu");
}

TEST(Safetensors, DamagedFilesAreRefusedInOneLine) {
  const auto one = [](const std::string& tensor, size_t bytes) {
    return refusal_of(file_of("{\"w\":" + tensor + "}", std::string(bytes, 'x')));
  };
  EXPECT_THAT(refusal_of("short"), HasSubstr("a.safetensors: is cut off in its header"));
  EXPECT_THAT(refusal_of(file_of("{}").substr(0, 9)), HasSubstr("is cut off in its header"));
  EXPECT_THAT(refusal_of(std::string(8, '\xff') + "{}"), HasSubstr("is too long"));
  EXPECT_THAT(refusal_of(file_of("{}")), HasSubstr("holds no tensor"));
  EXPECT_THAT(refusal_of(file_of("{\"w\":")), HasSubstr("a.safetensors"));
  EXPECT_THAT(refusal_of(file_of("[1]")), HasSubstr("a.safetensors"));
  EXPECT_THAT(one(R"({"shape":[1],"data_offsets":[0,4]})", 4), HasSubstr("dtype"));
  EXPECT_THAT(one(entry("F4", "[1]", 0, 1), 1), HasSubstr("dtype 'F4' is not read here"));
  EXPECT_THAT(one(entry("", "[1]", 0, 1), 1), HasSubstr("dtype '' is not read here"));
  EXPECT_THAT(one(entry("F32", "[-1]", 0, 4), 4), HasSubstr("a size is negative: -1"));
  EXPECT_THAT(one(entry("F32", "[\"1\"]", 0, 4), 4), HasSubstr("w.shape[0]"));
  EXPECT_THAT(one(entry("F32", "[4611686018427387904,4]", 0, 4), 4), HasSubstr("its sizes overflow"));
  EXPECT_THAT(one(entry("F32", "[1]", 0, 8), 4), HasSubstr("its bytes 0 to 8 are not in the file, which has 4"));
  EXPECT_THAT(one(entry("F32", "[1]", 4, 0), 4), HasSubstr("are not in the file"));
  EXPECT_THAT(one(entry("F32", "[2]", 0, 4), 4), HasSubstr("has 4 bytes where its dtype and sizes say 8"));
  EXPECT_THAT(one(entry("F32", "[1]", 0, 4), 6), HasSubstr("2 bytes behind its tensors belong to none"));
  EXPECT_THAT(one(entry("F32", "[1]", 2, 6), 6),
              HasSubstr("the bytes of w begin at 2, where those before it end at 0"));
  EXPECT_THAT(one(R"({"dtype":"U8","shape":[1],"data_offsets":[0]})", 1), HasSubstr("is no pair of offsets"));
  const std::string shared = "{\"a\":" + entry("U8", "[2]", 0, 2) + ",\"b\":" + entry("U8", "[2]", 1, 3) + "}";
  EXPECT_THAT(refusal_of(file_of(shared, "xyz")), HasSubstr("the bytes of b begin at 1"));
  const std::string twice = "{\"a\":" + entry("U8", "[1]", 0, 1) + ",\"a\":" + entry("U8", "[1]", 0, 1) + "}";
  EXPECT_NE(refusal_of(file_of(twice, "x")), "");
}

// A valid file that is cut at any byte is refused.
TEST(Safetensors, EveryCutIsRefused) {
  const std::string good = file_of("{\"w\":" + entry("F8_E4M3", "[3]", 0, 3) + "}", "abc");
  EXPECT_EQ(refusal_of(good), "");
  for (size_t n = 0; n < good.size(); ++n) EXPECT_NE(refusal_of(good.substr(0, n)), "") << n;
}

}  // namespace
}  // namespace ersatz
