// Archives: other roots, deflated entries, and the ones that are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <zip.h>

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
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* whole = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(whole);
  zip_t* zip = zip_open_from_source(whole, ZIP_TRUNCATE, &error);
  for (const auto& [name, bytes] : entries) {
    zip_source_t* source = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
    const auto index = static_cast<zip_uint64_t>(zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8));
    zip_set_file_compression(zip, index, deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  EXPECT_EQ(zip_close(zip), 0);
  zip_source_open(whole);
  zip_source_seek(whole, 0, SEEK_END);
  std::string bytes(static_cast<size_t>(zip_source_tell(whole)), '\0');
  zip_source_seek(whole, 0, SEEK_SET);
  zip_source_read(whole, bytes.data(), bytes.size());
  zip_source_close(whole);
  zip_source_free(whole);
  return bytes;
}

/// The committed mlp, its root folder renamed.
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
    EXPECT_EQ(p.weights.made_up(), 0);
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
  for (int i = 0; i < 10; ++i) refuse();  // what is allocated once
  const size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i) refuse();
  EXPECT_LT(::mallinfo2().uordblks, before + 8000);  // a string each would take eight bytes at least
}

TEST(Archive, EmptyWeightsStandForAnyNumberOfMadeUpOnes) {
  Entries entries = mlp_under("m");
  for (const char* name : {"weight_0", "weight_2"}) entries["m/data/weights/" + std::string(name)].clear();
  const Program p = load_program_bytes(zip_of(entries, false), "p.pt2");
  EXPECT_EQ(p.weights.made_up(), 2);
  EXPECT_FALSE(p.weights.tensor(0).shares_storage(p.weights.tensor(2)));
}

}  // namespace
}  // namespace ersatz
