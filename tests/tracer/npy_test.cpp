// NumPy arrays: dtypes, both orders, archives, and files that are refused.
#include "tracer/tensors/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "runtime/tensor/meta_text.h"
#include "tests/tools/npy_bytes.h"
#include "tracer/archive/zip_writer.h"

namespace ersatz {
namespace {

std::string meta_of(const std::string& bytes) { return to_string(parse_npy(bytes, "a.npy").meta()); }

std::string refusal_of(const std::string& bytes) {
  try {
    parse_npy(bytes, "a.npy");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "";
}

TEST(Npy, EveryDtypeThatBothKnow) {
  const auto of = [](const std::string& descr, size_t bytes) {
    return meta_of(
        npy_file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,), }", std::string(bytes, 0)));
  };
  EXPECT_EQ(of("|b1", 2), "bool[2]{1}+0@cpu");
  EXPECT_EQ(of("|u1", 2), "u8[2]{1}+0@cpu");
  EXPECT_EQ(of("|i1", 2), "i8[2]{1}+0@cpu");
  EXPECT_EQ(of("<i2", 4), "i16[2]{1}+0@cpu");
  EXPECT_EQ(of("<i4", 8), "i32[2]{1}+0@cpu");
  EXPECT_EQ(of("<i8", 16), "i64[2]{1}+0@cpu");
  EXPECT_EQ(of("<f2", 4), "f16[2]{1}+0@cpu");
  EXPECT_EQ(of("<V2", 4), "bf16[2]{1}+0@cpu");
  EXPECT_EQ(of("<f4", 8), "f32[2]{1}+0@cpu");
  EXPECT_EQ(of("<f8", 16), "f64[2]{1}+0@cpu");
  EXPECT_EQ(of("<c8", 16), "c64[2]{1}+0@cpu");
  EXPECT_EQ(of("<c16", 32), "c128[2]{1}+0@cpu");
  EXPECT_EQ(of("<u2", 4), "u16[2]{1}+0@cpu");
  EXPECT_EQ(of("<u4", 8), "u32[2]{1}+0@cpu");
  EXPECT_EQ(of("<u8", 16), "u64[2]{1}+0@cpu");
  EXPECT_EQ(of("<f1", 2), "f8e5m2[2]{1}+0@cpu");
}

// ml_dtypes saves f8e4m3fn, the fnuz formats, f8e8m0fnu and float4 with the same descriptor.
TEST(Npy, Float8OfUnknownFormatIsRefused) {
  const std::string bytes = npy_file("{'descr': '<V1', 'fortran_order': False, 'shape': (2,), }", "xx");
  EXPECT_THAT(refusal_of(bytes), testing::HasSubstr("dtype '<V1' is one of several floats of 8 or 4 bits, the file "
                                                    "does not say which: save x.view('uint8')"));
}

TEST(Npy, DtypesOfFewKernelsKeepTheirBytes) {
  const std::string bytes("\x01\x7f\x80\xff\x00\x7e\xfe\x81", 8);
  for (const char* descr : {"<u2", "<u4", "<u8", "<f1"}) {
    const size_t count = 8 / static_cast<size_t>(descr[2] - '0');
    const Tensor t = parse_npy(
        npy_file(fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", descr, count), bytes), "a");
    EXPECT_EQ(std::memcmp(t.raw_data(), bytes.data(), 8), 0) << descr;
  }
}

TEST(Npy, FortranOrderDecidesStridesAndKeepsElements) {
  const Tensor t = parse_npy(npy_array<float>("<f4", "(2, 3)", {1, 4, 2, 5, 3, 6}, true), "a.npy");
  EXPECT_EQ(to_string(t.meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(to_string(t), "Tensor(f32[2,3]{1,2}@cpu, [[1, 2, 3], [4, 5, 6]])");
}

TEST(Npy, ScalarsAndEmptyArrays) {
  EXPECT_EQ(parse_npy(npy_array<int64_t>("<i8", "()", {7}), "a.npy").item_int(), 7);
  EXPECT_EQ(meta_of(npy_array<float>("<f4", "(0, 3)", {})), "f32[0,3]{3,1}+0@cpu");
}

TEST(Npy, ALongerHeaderOfVersionTwo) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }" + std::string(300, ' ') + "\n";
  EXPECT_EQ(meta_of(npy_file(header, std::string(4, 0), 2)), "f32[1]{1}+0@cpu");
}

TEST(Npy, UnsupportedFileIsRefusedWithARemedy) {
  EXPECT_EQ(refusal_of(npy_array<float>(">f4", "(1,)", {0})),
            "a.npy: is big-endian ('>f4'): save it as x.astype(x.dtype.newbyteorder('<'))");
  EXPECT_EQ(refusal_of(npy_array<float>("|O", "(1,)", {0})),
            "a.npy: holds Python objects, which only unpickling could read");
  EXPECT_EQ(refusal_of(npy_array<float>("<U4", "(1,)", {0})),
            "a.npy: dtype '<U4' is not read here: save it as bool, an int, a float or a complex dtype");
  EXPECT_EQ(refusal_of(npy_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd")),
            "a.npy: holds records with fields; arrays of one number type are read");
}

TEST(Npy, HostileFilesAreRefused) {
  const auto header = [](const std::string& text) { return refusal_of(npy_file(text, "")); };
  EXPECT_THAT(refusal_of("PK"), testing::HasSubstr("no .npy file"));
  EXPECT_THAT(refusal_of("\x93NUMPY"), testing::HasSubstr("cut off in its header"));
  EXPECT_THAT(refusal_of("\x93NUMPY\x09" + std::string(20, '\0')), testing::HasSubstr("has version 9"));
  EXPECT_THAT(refusal_of(std::string("\x93NUMPY\x01\x00\xff\xff", 10)), testing::HasSubstr("cut off in its header"));
  EXPECT_THAT(refusal_of(std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12)), testing::HasSubstr("is too long"));
  EXPECT_THAT(header(""), testing::HasSubstr("header is broken: '{' is missing"));
  EXPECT_THAT(header("{'descr': '<f4'}"), testing::HasSubstr("lacks one of"));
  EXPECT_THAT(header("{'descr': '<f4"), testing::HasSubstr("a string is missing"));
  EXPECT_THAT(header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
              testing::HasSubstr("a size is missing"));
  EXPECT_THAT(header("{'descr': '<f4', 'fortran_order': maybe}"), testing::HasSubstr("True or False is missing"));
  EXPECT_THAT(header("{'descr': '<f4', 'pickle': True}"), testing::HasSubstr("has the key 'pickle'"));
  EXPECT_THAT(header("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}"),
              testing::HasSubstr("its sizes overflow"));
  EXPECT_THAT(header("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,)}"),
              testing::HasSubstr("0 bytes of elements where its header says 4000000000: it is cut off"));
}

TEST(Npz, ArraysAreFoundByTheirNames) {
  const std::string path = testing::TempDir() + "arrays.npz";
  const std::string x = npy_array<float>("<f4", "(2,)", {1, 2}), n = npy_array<int64_t>("<i8", "()", {3});
  ZipWriter zip(path);
  zip.add("x.npy", std::as_bytes(std::span(x)));
  zip.add("n.npy", std::as_bytes(std::span(n)));
  zip.finish();
  const NamedTensors arrays = load_npz(path);
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(to_string(arrays.at("x").meta()), "f32[2]{1}+0@cpu");
  EXPECT_EQ(arrays.at("n").item_int(), 3);
  std::filesystem::remove(path);
}

TEST(Npz, AnArchiveOfSomethingElseIsRefused) {
  const std::string path = testing::TempDir() + "other.npz", text = "hello";
  ZipWriter zip(path);
  zip.add("x.txt", std::as_bytes(std::span(text)));
  zip.finish();
  try {
    load_npz(path);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, path + ": no .npz archive: its entry 'x.txt' is no .npy file");
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace ersatz
