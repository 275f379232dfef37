// Archives with other root folders, with deflated entries, and archives that are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <minizip/zip.h>

#include <cstring>
#include <map>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/archive/zip_writer.h"
#include "tracer/pt2/program_file.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::HasSubstr;

using Entries = std::map<std::string, std::string>;

std::string zip_of(const Entries& entries, bool deflate) {
  zlib_filefunc64_def functions;
  fill_fopen64_filefunc(&functions);
  std::FILE* const file = std::tmpfile();
  functions.opaque = file;
  functions.zopen64_file = [](void* opened, const void*, int) { return opened; };
  functions.zclose_file = [](void*, void*) { return 0; };
  const zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  for (const auto& [name, bytes] : entries) {
    const zip_fileinfo info = {};
    EXPECT_EQ(zipOpenNewFileInZip(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, deflate ? Z_DEFLATED : 0,
                                  Z_DEFAULT_COMPRESSION),
              ZIP_OK);
    EXPECT_EQ(zipWriteInFileInZip(zip, bytes.data(), static_cast<unsigned>(bytes.size())), ZIP_OK);
    EXPECT_EQ(zipCloseFileInZip(zip), ZIP_OK);
  }
  EXPECT_EQ(zipClose(zip, nullptr), ZIP_OK);
  std::string bytes(static_cast<size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(bytes.data(), 1, bytes.size(), file), bytes.size());
  std::fclose(file);
  return bytes;
}

/// Returns the committed mlp with another root folder.
Entries mlp_under(const std::string& root) {
  Entries entries;
  const auto zip = ZipArchive::open(committed_program("mlp"));
  for (const auto& e : zip->entries()) entries[root + e.name.substr(e.name.find('/'))] = zip->read(e);
  return entries;
}

std::string refusal(const Entries& entries) {
  try {
    load_program_bytes(zip_of(entries, false), "p.pt2");
  } catch (const Error& e) {
    return e.message;
  }
  return "not refused";
}

TEST(Archive, MayHaveAnyRootAndBeDeflated) {
  const Program stored = load_program(committed_program("mlp"));
  for (bool deflate : {false, true}) {
    const Program p = load_program_bytes(zip_of(mlp_under("any name"), deflate), "p.pt2");
    ASSERT_EQ(p.weights.tensors().size(), 6u);
    EXPECT_EQ(p.weights.synthetic(), 0);
    EXPECT_EQ(std::memcmp(p.weights.storage(0)->data(), stored.weights.storage(0)->data(), 2048), 0);
  }
}

TEST(Archive, FromMemoryComesBackFromItsTextToo) {
  const Program p = load_program_bytes(zip_of(mlp_under("m"), false), "p.pt2");
  std::string why;
  EXPECT_TRUE(same_program(p, parse_program_text(print_program(p), "elsewhere/p.txt"), &why)) << why;
}

TEST(Archive, NamesThatLeaveItAreRefused) {
  Entries entries = mlp_under("m");
  entries["m/../../evil"] = "x";
  EXPECT_THAT(refusal(entries), HasSubstr("has a name that leaves the archive: 'm/../../evil'"));
  entries = mlp_under("m");
  entries["/etc/evil"] = "x";
  EXPECT_THAT(refusal(entries), HasSubstr("has a name that leaves the archive: '/etc/evil'"));
}

TEST(Archive, TwoEntriesOfOneNameAreRefused) {
  Entries entries = mlp_under("m");
  entries["m/twin_a"] = "x";
  entries["m/twin_b"] = "y";
  std::string bytes = zip_of(entries, false);
  for (size_t at; (at = bytes.find("twin_b")) != bytes.npos;) bytes[at + 5] = 'a';
  try {
    load_program_bytes(bytes, "p.pt2");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "p.pt2: two entries are named 'm/twin_a'");
  }
}

TEST(Archive, ThatBeginsElsewhereInItsFileIsRefused) {
  try {
    ZipArchive::from_bytes("#!/bin/sh\n" + zip_of(mlp_under("m"), false), "p.pt2");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "p.pt2: no readable ZIP archive: its directory is not where its end says");
  }
}

TEST(Archive, DeflatedDataClaimingNoneIsRefused) {
  std::string bytes = zip_of({{"a", "x"}}, true);
  // Clear checksum and sizes of "a", in its local header and in the directory.
  for (const size_t at : {size_t(14), bytes.find("PK\1\2") + 16}) {
    std::memset(bytes.data() + at, 0, 4);
    std::memset(bytes.data() + at + 8, 0, 4);
  }
  try {
    ZipArchive::from_bytes(bytes, "p.pt2");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "p.pt2: a: is empty by the directory, but its data does not end where it begins");
  }
}

TEST(Archive, MayHaveEntriesThatAreEmptyAndDeflated) {
  const auto zip = ZipArchive::from_bytes(zip_of({{"a", ""}}, true), "p.pt2");
  EXPECT_EQ(zip->entries().at(0).size, 0);
  EXPECT_EQ(zip->read(zip->entries().at(0)), "");
}

TEST(Archive, BigEndianIsRefused) {
  Entries entries = mlp_under("m");
  entries["m/byteorder"] = "big";
  EXPECT_EQ(refusal(entries), "p.pt2: m/byteorder: byte order 'big' is not read here");
}

TEST(Archive, OldContainersAreNamed) {
  EXPECT_THAT(refusal({{"serialized_exported_program.json", "{}"}}), HasSubstr("an archive of torch 2.8 or older"));
  EXPECT_THAT(refusal({{"m/data/weights/model.pt", ""}, {"m/models/model.json", "{}"}}),
              HasSubstr("an archive of torch 2.8 or older"));
}

TEST(Archive, AZipWithoutAModelIsNamed) {
  EXPECT_EQ(refusal({{"m/readme", "hello"}}), "p.pt2: a ZIP archive, but no exported program: it has no models/*.json");
}

TEST(Archive, AConfigThatLeavesItsFolderIsRefused) {
  Entries entries = mlp_under("m");
  std::string& config = entries["m/data/weights/model_weights_config.json"];
  config.replace(config.find("weight_0"), 8, "../../up");
  EXPECT_THAT(refusal(entries), HasSubstr("'../../up' is no plain file name"));
}

TEST(Archive, AMissingOrShortWeightIsRefused) {
  Entries entries = mlp_under("m");
  entries["m/data/weights/weight_1"].resize(127);
  EXPECT_EQ(refusal(entries), "p.pt2: up.bias: f32[32]@cpu grad needs 128 bytes, its data has 127");
  entries.erase("m/data/weights/weight_1");
  EXPECT_EQ(refusal(entries), "p.pt2: 'up.bias' names a missing entry 'weight_1'");
}

TEST(Archive, ARefusalLeavesNoMemoryBehind) {
  const auto refuse = [] {
    EXPECT_THROW(ZipArchive::from_bytes("no archive", "p.pt2"), Error);
    EXPECT_THROW(ZipWriter("/dev/null/p.pt2"), Error);
  };
  for (int i = 0; i < 10; ++i) refuse();  // the first refusals allocate memory that stays in use
  const size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i) refuse();
  EXPECT_LT(::mallinfo2().uordblks, before + 8000);  // a leaked string needs at least eight bytes each time
}

TEST(Archive, EmptyWeightsMeanAnyNumberOfSyntheticOnes) {
  Entries entries = mlp_under("m");
  for (const char* name : {"weight_0", "weight_2"}) entries["m/data/weights/" + std::string(name)].clear();
  const Program p = load_program_bytes(zip_of(entries, false), "p.pt2");
  EXPECT_EQ(p.weights.synthetic(), 2);
  EXPECT_FALSE(p.weights.tensor(0).shares_storage(p.weights.tensor(2)));
}

}  // namespace
}  // namespace ersatz
