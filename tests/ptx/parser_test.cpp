// Tests of the PTX parser: texts that it parses, and texts that it refuses with the line.
#include "tests/ptx/parser.h"

#include <zstd.h>

#include "tests/ptx/fat_binary.h"
#include "tests/ptx/run_kernel.h"

namespace ersatz::ptx {
namespace {

std::string refusal(const std::string& body, const std::string& head = "") {
  try {
    parse_body(*module_of(body, head)->functions.at("k"));
  } catch (const ParseError& e) {
    return e.what();
  }
  return "taken";
}

TEST(PtxParser, NamesWhatItDoesNotKnow) {
  const auto says = [](const std::string& body, const char* words) {
    EXPECT_NE(refusal(body).find(words), std::string::npos) << refusal(body);
  };
  says("wgmma.fence.sync.aligned;", "line 2: this instruction is not known: wgmma.fence.sync.aligned");
  says(".reg .b32 %a;\nadd.s32 %a, %a, %b;", "line 3: no operand %b: add.s32 %a, %a, %b");
  says("add.s32 %a, 1, 2;", "no register %a");
  says(".reg .b32 %a; bra $nowhere;", "no label $nowhere");
  says(".reg .b32 %a; add.f16 %a, %a, %a;", "this type is not known of the opcode");
  says(".reg .b32 %a; add.sat.s32 %a, %a, %a;", "saturation is known of conversions alone");
  says(".reg .b32 %a; ld.global.u32 %a, %a;", "an address is in brackets");
  says(".reg .b32 %a; ld.global.v2.u32 {%a}, [%a];", "a vector has as many elements");
  says(".reg .b32 %a; atom.global.max.f32 %a, [%a], %a;", "floats are added atomically, nothing else");
  says("bar.sync 1;", "barrier 0 of the whole block is known alone");
  says("call.uni nobody;", "no function nobody");
  says(".reg .b32 %a; cvt.rn.f8.f32 %a, %a;", "this conversion is not known");
  says(".reg .b32 %a; setp.eq.u32 %a, %a;", "a comparison names its kind");
  says(".reg .pred %p; @%q bra $x; $x:", "no predicate guards this");
  says("ret", "a statement does not end");
  says("}", "the text ends within a declaration");  // the brace ends the function's body
  says(".texref t;", "this directive is not known");
}

TEST(PtxParser, EveryPieceOfTextIsTakenOrRefused) {
  const std::string text = R"(.version 9.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[4] = {1, 2, 0xff, 4};
.visible .entry k(.param .u64 to) .maxntid 256
{ .reg .b32 %a<3>; .reg .b64 %rd; // a comment; with a semicolon
  ld.param.u64 %rd, [to]; /* and
  another */ mov.u32 %a1, 5;
  { .reg .b32 %in; mov.b32 %in, %a1; }
$label: st.global.u32 [%rd], %a1; ret; })";
  for (size_t n = 0; n <= text.size(); ++n) {
    try {
      const auto m = parse_module("a piece", text.substr(0, n));
      for (const auto& [name, f] : m->functions) parse_body(*f);
    } catch (const ParseError& e) {
      EXPECT_FALSE(std::string(e.what()).empty());
    }
  }
  const auto whole = parse_module("all", text);
  EXPECT_EQ(whole->functions.at("k")->most_threads, 256);
  EXPECT_EQ(static_cast<uint8_t>(whole->variables.at("table").data[2]), 0xff);
}

TEST(PtxParser, VariablesOfTheModuleAreRead) {
  EXPECT_EQ(
      of_each_thread(
          ".reg .b64 %g; mov.u64 %g, table; mul.wide.u32 %rd0, %t, 4; add.s64 %g, %g, %rd0; ld.global.u32 %v, [%g+4];",
          2, ".global .align 4 .u32 table[3] = {7, 8, 0x10};"),
      (std::vector<uint32_t>{8, 16}));
}

TEST(PtxParser, SharedMemoryOfCalledFunctionsIsRefused) {
  const char* const head =
      ".extern .shared .align 4 .b8 all[]; .func f() { .reg .b32 %a; ld.shared.u32 %a, [all]; ret; }";
  EXPECT_THROW(of_each_thread("call.uni f;", 1, head), ParseError);
}

/// A fat binary with one entry of PTX, and the wrapper that points to it.
class FatBinary {
 public:
  explicit FatBinary(const std::string& payload, uint16_t kind = 1) {
    constexpr size_t kEntry = 64;
    bytes_.resize(16 + kEntry + payload.size());
    put<uint32_t>(0, 0xba55ed50), put<uint16_t>(4, 1), put<uint16_t>(6, 16), put<uint64_t>(8, kEntry + payload.size());
    put<uint16_t>(16, kind), put<uint16_t>(18, 0x101), put<uint32_t>(20, kEntry), put<uint64_t>(24, payload.size());
    std::memcpy(bytes_.data() + 16 + kEntry, payload.data(), payload.size());
  }
  std::vector<std::string> texts() const {
    const struct {
      uint32_t magic = 0x466243b1, version = 1;
      const void* container;
      const void* unused = nullptr;
    } wrapper{.container = bytes_.data()};
    return ptx_of_fat_binary(&wrapper);
  }

 private:
  template <class T>
  void put(size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::vector<char> bytes_;
};

TEST(PtxFatBinary, HoldsTextOrAFrameOfIt) {
  const std::string text = ".version 9.0 .target sm_90";
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 3));
  EXPECT_EQ(FatBinary(text).texts(), std::vector<std::string>{text});
  EXPECT_EQ(FatBinary(frame).texts(), std::vector<std::string>{text});
  EXPECT_TRUE(FatBinary("machine code", 2).texts().empty());
  EXPECT_THROW(FatBinary("neither").texts(), std::runtime_error);
}

}  // namespace
}  // namespace ersatz::ptx
