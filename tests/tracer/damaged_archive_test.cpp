// Archives that are cut or damaged: a changed archive gives the original program or is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/pt2/program_file.h"

namespace ersatz {
namespace {

using ::testing::HasSubstr;

class DamagedArchive : public ::testing::Test {
 protected:
  const std::string whole_ = read_file(committed_program("mlp"));
  const Program right_ = load_program_bytes(whole_, "p.pt2");

  /// The offset of the ZIP directory, which is stored 6 bytes before the end of the archive.
  size_t directory() const { return number(whole_.size() - 6); }
  uint32_t number(size_t at) const {
    uint32_t n;
    std::memcpy(&n, whole_.data() + at, sizeof n);
    return n;
  }
  /// The offset of an entry's row in the ZIP directory.
  size_t row_of(const std::string& name) const { return whole_.find(name, directory()) - 46; }
  static void set(std::string& bytes, size_t at, uint32_t n) { std::memcpy(bytes.data() + at, &n, sizeof n); }

  static std::string refusal(const std::string& bytes) {
    try {
      load_program_bytes(bytes, "p.pt2");
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << e.message;
      EXPECT_EQ(e.message.find('\n'), std::string::npos) << e.message;
      return e.message;
    }
    return "not refused";
  }

  /// Returns an empty text if loading the bytes or reading their weights is refused, or if program and weights are the
  /// original ones.
  std::string wrong(const std::string& bytes) const {
    try {
      const Program p = load_program_bytes(bytes, "p.pt2");
      if (p.weights.synthetic() > 0) return "weights are made up";
      std::string why;
      if (!same_program(p, right_, &why)) return "another program: " + why;
      for (uint32_t i = 0; i < p.weights.payloads().size(); ++i) {
        const auto n = static_cast<size_t>(right_.weights.payloads()[i].nbytes);
        const Ref<Storage> bytes_of_it = p.weights.storage(i);
        if (std::memcmp(bytes_of_it->data(), right_.weights.storage(i)->data(), n) != 0) return "other weights";
      }
    } catch (const Error& e) {
      if (e.kind != ErrorKind::InvalidArgument) return "no InvalidArgument: " + e.message;
    }
    return "";
  }
};

TEST_F(DamagedArchive, CutAnywhereIsRefused) {
  for (size_t length = 0; length < whole_.size(); length += length + 2000 < directory() ? 61 : 7) {
    EXPECT_NE(refusal(whole_.substr(0, length)), "not refused") << length;
  }
}

TEST_F(DamagedArchive, FlippedBitGivesTheRightProgramOrRefusal) {
  std::vector<size_t> places;
  for (size_t at = directory(); at < whole_.size(); ++at) places.push_back(at);
  for (size_t at = 0; at < directory(); at += 29) places.push_back(at);
  std::mt19937 random(13);
  for (size_t at : places) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    EXPECT_EQ(wrong(bytes), "") << "byte " << at << " of " << whole_.size();
  }
}

TEST_F(DamagedArchive, ReplacedBytesGiveTheRightProgramOrRefusal) {
  std::mt19937 random(14);
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = whole_;
    const size_t length = 1 + random() % 24;
    const size_t from = i % 3 ? directory() : 0;
    const size_t at = from + random() % (whole_.size() - from - length);
    for (size_t k = 0; k < length; ++k) bytes[at + k] = i % 2 ? '\0' : static_cast<char>(random());
    EXPECT_EQ(wrong(bytes), "") << "bytes " << at << " to " << at + length;
  }
}

TEST_F(DamagedArchive, MissingPieceIsRefusedDespiteADirectory) {
  for (size_t at = 0; at < directory(); at += 401) {
    for (size_t length : {64, 1000, 9000}) {
      if (at + length > directory()) continue;
      std::string bytes = whole_;
      set(bytes, bytes.size() - 6, static_cast<uint32_t>(directory() - length));
      bytes.erase(at, length);
      EXPECT_NE(refusal(bytes), "not refused") << at << ", " << length;
    }
  }
}

TEST_F(DamagedArchive, WhoseWeightLiesBehindTheEndIsRefused) {
  std::string bytes = whole_;
  set(bytes, row_of("mlp/data/weights/weight_3") + 42, static_cast<uint32_t>(whole_.size() + 1000));
  EXPECT_THAT(refusal(bytes), HasSubstr("p.pt2: its entries are not what its directory says: "));
}

TEST_F(DamagedArchive, WhoseWeightIsAnotherEntryIsRefused) {
  std::string bytes = whole_;
  const size_t row = row_of("mlp/data/weights/weight_1"), other = row_of("mlp/data/weights/weight_3");
  std::memcpy(bytes.data() + row + 16, bytes.data() + other + 16, 12);  // checksum and sizes
  std::memcpy(bytes.data() + row + 42, bytes.data() + other + 42, 4);   // offset of the entry
  EXPECT_THAT(refusal(bytes), HasSubstr("p.pt2: its entries are not what its directory says: "));
}

TEST_F(DamagedArchive, WhoseWeightSeemsEmptyIsRefused) {
  std::string bytes = whole_;
  const size_t row = row_of("mlp/data/weights/weight_0");
  set(bytes, row + 20, 0);
  set(bytes, row + 24, 0);
  const std::string reason =
      "p.pt2: mlp/data/weights/weight_0: is empty by the directory, but its data does not end where it begins";
  EXPECT_EQ(refusal(bytes), reason);
  set(bytes, row + 16, 0);  // also clears the checksum
  EXPECT_EQ(refusal(bytes), reason);
}

TEST_F(DamagedArchive, RenamedListOfWeightsIsRefused) {
  std::string bytes = whole_;
  for (size_t at; (at = bytes.find("model_weights_config.json")) != bytes.npos;) bytes[at] = 'n';
  EXPECT_EQ(refusal(bytes),
            "p.pt2: holds 'mlp/data/weights/weight_0', but no 'mlp/data/weights/model_weights_config.json' that says "
            "what it is");
}

TEST_F(DamagedArchive, ThatIsEmptyIsNoArchive) { EXPECT_THROW(ZipArchive::from_bytes("", "p.pt2"), Error); }

}  // namespace
}  // namespace ersatz
