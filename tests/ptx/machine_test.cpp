// Calls, frames, warps, blocks and memory on the PTX machine. Each optional check must find a planted fault.
#include "tests/ptx/machine.h"

#include <numeric>

#include "tests/ptx/run_kernel.h"

namespace ersatz::ptx {
namespace {

using Values = std::vector<uint32_t>;

Values numbers(uint32_t n) {
  Values v(n);
  std::iota(v.begin(), v.end(), 0u);
  return v;
}

TEST(PtxMachine, CallsPassParametersAndReturnResults) {
  const char* const head = R"(
    .func (.param .b32 result) twice_and(.param .b32 a, .param .align 8 .b8 pair[8]) {
      .reg .b32 %r<4>; .local .align 8 .b8 depot[8]; .reg .b64 %l;
      ld.param.u32 %r0, [a];
      ld.param.v2.u32 {%r1, %r2}, [pair];
      mov.u64 %l, depot;
      st.local.u32 [%l+4], %r1;
      ld.local.u32 %r3, [%l+4];
      mad.lo.s32 %r0, %r0, 2, %r3;
      add.s32 %r0, %r0, %r2;
      st.param.b32 [result], %r0;
      ret;
    }
    .func (.param .b32 result) sum_below(.param .b32 n) {
      .reg .b32 %r<3>; .reg .pred %p;
      ld.param.u32 %r0, [n];
      mov.u32 %r1, 0;
      setp.eq.u32 %p, %r0, 0;
      @%p bra $end;
      sub.u32 %r2, %r0, 1;
      { .param .b32 given; .param .b32 got;
        st.param.b32 [given], %r2;
        call.uni (got), sum_below, (given);
        ld.param.b32 %r1, [got]; }
      add.u32 %r1, %r1, %r0;
     $end:
      st.param.b32 [result], %r1;
      ret;
    })";
  EXPECT_EQ(of_each_thread(R"(
    { .param .b32 a; .param .align 8 .b8 pair[8]; .param .b32 got;
      st.param.b32 [a], %t;
      st.param.v2.b32 [pair], {100, 1000};
      call.uni (got), twice_and, (a, pair);
      ld.param.b32 %v, [got]; })",
                           4, head),
            (Values{1100, 1102, 1104, 1106}));
  EXPECT_EQ(of_each_thread("{ .param .b32 n; .param .b32 got; st.param.b32 [n], %t; call.uni (got), sum_below, (n); "
                           "ld.param.b32 %v, [got]; }",
                           5, head),
            (Values{0, 1, 3, 6, 10}));
}

TEST(PtxMachine, BranchesAndGuardsGoTheirOwnWay) {
  EXPECT_EQ(of_each_thread("mov.u32 %x0, %t; $loop: setp.eq.u32 %p0, %x0, 0; @%p0 bra $done; add.u32 %v, %v, 3; "
                           "sub.u32 %x0, %x0, 1; bra $loop; $done:",
                           4),
            (Values{0, 3, 6, 9}));
  EXPECT_EQ(of_each_thread("setp.gt.u32 %p0, %t, 1; @!%p0 mov.u32 %v, 7;", 4), (Values{7, 7, 0, 0}));
  EXPECT_EQ(of_each_thread("setp.eq.u32 %p0, %t, 1; @%p0 ret; mov.u32 %v, 5;", 3), (Values{5, 0, 5}));
}

TEST(PtxMachine, ShufflesMoveValuesBetweenLanes) {
  const auto shuffled = [](const char* instruction, auto source) {
    Values expected = numbers(64);
    for (uint32_t& v : expected) v = v / 32 * 32 + source(v % 32);
    EXPECT_EQ(of_each_thread(instruction, 64), expected) << instruction;
  };
  shuffled("shfl.sync.up.b32 %v, %t, 3, 0, -1;", [](uint32_t l) { return l < 3 ? l : l - 3; });
  shuffled("shfl.sync.down.b32 %v, %t, 5, 31, -1;", [](uint32_t l) { return l + 5 > 31 ? l : l + 5; });
  shuffled("shfl.sync.bfly.b32 %v|%p0, %t, 6, 31, -1;", [](uint32_t l) { return l ^ 6; });
  shuffled("shfl.sync.idx.b32 %v, %t, 9, 31, -1;", [](uint32_t) { return 9u; });
  // Segments of eight lanes: the clamp is the last lane of a segment, 0x1807 = 24 << 8 | 7.
  shuffled("shfl.sync.down.b32 %v, %t, 2, 0x1807, -1;", [](uint32_t l) { return l % 8 + 2 > 7 ? l : l + 2; });
  EXPECT_EQ(of_each_thread("shfl.sync.down.b32 %x0|%p0, %t, 1, 31, -1; selp.u32 %v, 1, 0, %p0;", 32)[31], 0u);
}

TEST(PtxMachine, WarpsVoteMatchAndReduce) {
  const char* const odd = "and.b32 %x0, %t, 1; setp.eq.u32 %p0, %x0, 1;";
  EXPECT_EQ(of_each_thread(std::string(odd) + "vote.sync.ballot.b32 %v, %p0, -1;", 32)[5], 0xaaaaaaaau);
  EXPECT_EQ(of_each_thread(std::string(odd) + "vote.sync.any.pred %p1, %p0, -1; selp.u32 %v, 1, 0, %p1;", 32)[0], 1u);
  EXPECT_EQ(of_each_thread(std::string(odd) + "vote.sync.all.pred %p1, %p0, -1; selp.u32 %v, 1, 0, %p1;", 32)[0], 0u);
  EXPECT_EQ(of_each_thread(std::string(odd) + "vote.sync.uni.pred %p1, !%p0, -1; selp.u32 %v, 1, 0, %p1;", 32)[0], 0u);
  EXPECT_EQ(of_each_thread("shr.u32 %x0, %t, 2; match.any.sync.b32 %v, %x0, -1;", 32)[6], 0xf0u);
  EXPECT_EQ(of_each_thread("redux.sync.add.u32 %v, %t, -1;", 32)[0], 496u);
  EXPECT_EQ(of_each_thread("redux.sync.max.u32 %v, %t, -1;", 32)[3], 31u);
  EXPECT_EQ(of_each_thread("sub.s32 %x0, %t, 9; redux.sync.min.s32 %v, %x0, -1;", 32)[0], static_cast<uint32_t>(-9));
  EXPECT_EQ(of_each_thread(std::string(odd) + "@!%p0 bra $end; redux.sync.add.u32 %v, %t, 0xaaaaaaaa; $end:", 32)[1],
            256u);
  EXPECT_EQ(of_each_thread("mov.u32 %v, %lanemask_lt;", 32)[4], 0xfu);
}

TEST(PtxMachine, VotesAreThoseOfTheMask) {
  const char* const half = "setp.lt.u32 %p0, %t, 16; @!%p0 bra $end;";
  EXPECT_EQ(
      of_each_thread(std::string(half) + "vote.sync.all.pred %p1, %p0, 0xffff; selp.u32 %v, 1, 2, %p1; $end:", 32)[3],
      1u);
  EXPECT_EQ(
      of_each_thread(std::string(half) + "vote.sync.uni.pred %p1, %p0, 0xffff; selp.u32 %v, 1, 2, %p1; $end:", 32)[3],
      1u);
}

TEST(PtxMachine, LocalsOfACalledFunctionAreAligned) {
  const char* const head =
      ".func (.param .b32 r) f() { .local .align 8 .b8 pair[8]; .reg .b64 %l; mov.u64 %l, pair; st.local.b64 [%l], 7; "
      "ld.local.b64 %l, [%l]; st.param.b32 [r], 9; ret; }";
  EXPECT_EQ(
      of_each_thread(".local .align 4 .b8 one[4]; { .param .b32 r; call.uni (r), f; ld.param.b32 %v, [r]; }", 1, head),
      Values{9});
}

TEST(PtxMachine, BarriersReduceOverABlock) {
  const char* const is_three = "setp.eq.u32 %p0, %t, 3;";
  EXPECT_EQ(of_each_thread(std::string(is_three) + "bar.red.or.pred %p1, 0, %p0; selp.u32 %v, 1, 0, %p1;", 70)[69], 1u);
  EXPECT_EQ(of_each_thread(std::string(is_three) + "bar.red.and.pred %p1, 0, !%p0; selp.u32 %v, 1, 0, %p1;", 70)[0],
            0u);
  EXPECT_EQ(of_each_thread(std::string(is_three) + "bar.red.popc.u32 %v, 0, !%p0;", 70)[0], 69u);
}

TEST(PtxMachine, AtomicsReturnWhatWasThere) {
  const auto left = [](const std::string& update, uint32_t before) {
    DeviceArray<uint32_t> to(1);
    to[0] = before;
    run_kernel(".reg .b64 %to; .reg .b32 %t, %v; ld.param.u64 %to, [to]; mov.u32 %t, %tid.x;" + update + "ret;",
               to.data(), nullptr, 8);
    return to[0];
  };
  EXPECT_EQ(left("atom.global.add.u32 %v, [%to], %t;", 5), 33u);
  EXPECT_EQ(left("red.global.max.u32 [%to], %t;", 3), 7u);
  EXPECT_EQ(left("atom.global.min.s32 %v, [%to], %t;", static_cast<uint32_t>(-4)), static_cast<uint32_t>(-4));
  EXPECT_EQ(left("atom.global.or.b32 %v, [%to], %t;", 8), 15u);
  EXPECT_EQ(left("atom.global.and.b32 %v, [%to], 6;", 13), 4u);
  EXPECT_EQ(left("atom.global.xor.b32 %v, [%to], %t;", 1), 1u);
  EXPECT_EQ(left("atom.global.exch.b32 %v, [%to], %t;", 1), 7u);
  EXPECT_EQ(left("atom.global.cas.b32 %v, [%to], %t, 40;", 2), 40u);
  EXPECT_EQ(left("atom.global.inc.u32 %v, [%to], 2;", 0), 2u);
  EXPECT_EQ(left("atom.global.dec.u32 %v, [%to], 9;", 0), 2u);
  EXPECT_EQ(of_each_thread("atom.global.add.u32 %x0, [%to], %t; add.u32 %v, %x0, 1;", 3), (Values{1, 1, 1}));
}

const char* const kShared = ".shared .align 4 .b8 row[256]; .reg .b32 %a, %b, %at;";
const char* const kStoreOwn = "mov.u32 %at, row; shl.b32 %b, %t, 2; add.u32 %a, %at, %b; st.shared.u32 [%a], %t;";
const char* const kReadNext =
    "add.u32 %b, %t, 1; and.b32 %b, %b, 63; shl.b32 %b, %b, 2; add.u32 %a, %at, %b; ld.shared.u32 %v, [%a];";

TEST(PtxMachine, SharedMemoryIsSeenBehindABarrier) {
  Values expected = numbers(64);
  std::rotate(expected.begin(), expected.begin() + 1, expected.end());
  EXPECT_EQ(of_each_thread(std::string(kShared) + kStoreOwn + "bar.sync 0;" + kReadNext, 64), expected);
}

/// Returns the texts of the findings that `run` adds.
template <class F>
std::vector<std::string> found_by(bool Checks::*check, F&& run) {
  Checks& checks = Checks::instance();
  const auto before = std::exchange(checks.found, {});
  const bool on = std::exchange(checks.*check, true);
  run();
  checks.*check = on;
  std::vector<std::string> texts;
  for (const auto& [what, times] : std::exchange(checks.found, before)) texts.push_back(what);
  return texts;
}

TEST(PtxChecks, AMissingBarrierIsARace) {
  const auto without =
      found_by(&Checks::races, [] { of_each_thread(std::string(kShared) + kStoreOwn + kReadNext, 64); });
  ASSERT_EQ(without.size(), 2u);  // a read after a write, and a write after a read
  EXPECT_NE(without[0].find("race in shared memory"), std::string::npos);
  EXPECT_EQ(
      found_by(&Checks::races, [] { of_each_thread(std::string(kShared) + kStoreOwn + "bar.sync 0;" + kReadNext, 64); })
          .size(),
      0u);
}

TEST(PtxChecks, BarrierOfWarpOrdersItsLanesAlone) {
  const auto races = [](uint32_t threads) {
    return found_by(
               &Checks::races,
               [&] { of_each_thread(std::string(kShared) + kStoreOwn + "bar.warp.sync -1;" + kReadNext, threads); })
        .size();
  };
  EXPECT_EQ(races(64), 1u);  // the last lane of a warp reads the value that the next warp wrote
  EXPECT_EQ(found_by(&Checks::races,
                     [] {
                       of_each_thread(
                           std::string(kShared) + kStoreOwn +
                               "bar.warp.sync -1; xor.b32 %b, %b, 4; add.u32 %a, %at, %b; ld.shared.u32 %v, [%a];",
                           64);
                     })
                .size(),
            0u);
}

/// Returns the races of four blocks of two threads. %b is the block's number, %t the thread's.
size_t races_of_blocks(const std::string& body) {
  DeviceArray<uint32_t> to(64);
  return found_by(&Checks::races,
                  [&] {
                    run_kernel(
                        ".reg .b64 %to, %at; .reg .b32 %t, %b, %v; .reg .pred %p; ld.param.u64 %to, [to]; mov.u32 %t, "
                        "%tid.x;"
                        "mov.u32 %b, %ctaid.x;" +
                            body + "ret;",
                        to.data(), nullptr, 2, 4);
                  })
      .size();
}

TEST(PtxChecks, BlocksThatUseOneAddressRace) {
  EXPECT_EQ(races_of_blocks(
                "mul.wide.u32 %at, %b, 4; add.s64 %at, %at, %to; setp.eq.u32 %p, %t, 0; @%p st.global.u32 [%at], 1;"),
            0u);
  EXPECT_EQ(races_of_blocks("setp.eq.u32 %p, %t, 0; @%p st.global.u32 [%to], 1;"), 1u);
  EXPECT_EQ(races_of_blocks("setp.eq.u32 %p, %b, 0; @%p st.global.u32 [%to], 1; ld.global.u32 %v, [%to];"), 1u);
  EXPECT_EQ(races_of_blocks("ld.global.u32 %v, [%to]; setp.eq.u32 %p, %b, 3; @%p st.global.u32 [%to], 1;"), 1u);
  EXPECT_EQ(races_of_blocks("ld.global.u32 %v, [%to];"), 0u);
  EXPECT_EQ(races_of_blocks("red.global.add.u32 [%to], 1;"), 0u);
}

TEST(PtxChecks, BlocksAreOrderedByAnAtomicOfBoth) {
  // Each block adds to the value of the blocks before it, ordered by a counter that all blocks increment.
  const std::string sum = "ld.global.u32 %v, [%to]; add.u32 %v, %v, 1; st.global.u32 [%to], %v;";
  const std::string first = "setp.ne.u32 %p, %t, 0; @%p bra $end;", end = "$end:";
  const std::string count = "atom.global.add.u32 %b, [%to+128], 1;", other = "atom.global.add.u32 %b, [%at], 1;";
  EXPECT_EQ(races_of_blocks(first + count + sum + count + end), 0u);
  EXPECT_EQ(races_of_blocks(first + sum + count + end),
            2u);  // a block that has not counted yet reads the value
  EXPECT_EQ(races_of_blocks(first + "mul.wide.u32 %at, %b, 4; add.s64 %at, %at, %to;" + other + sum + other + end), 2u);
  EXPECT_EQ(races_of_blocks(first + "ld.volatile.global.u32 %b, [%to+128];" + sum +
                            "st.volatile.global.u32 [%to+128], 1;" + end),
            0u);
}

TEST(PtxChecks, WorkAfterABlocksAtomicIsUnordered) {
  const std::string first = "setp.ne.u32 %p, %t, 0; @%p bra $end;", count = "atom.global.add.u32 %v, [%to+128], 1;";
  EXPECT_EQ(races_of_blocks(first + count + "st.global.u32 [%to], 1; $end:"), 1u);
}

TEST(PtxChecks, WarpsOfABlockRaceWithoutABarrier) {
  const auto races = [](const char* between) {
    return found_by(&Checks::races,
                    [&] {
                      of_each_thread(std::string("setp.eq.u32 %p0, %t, 0; @%p0 st.global.u32 [%to], 1;") + between +
                                         "setp.eq.u32 %p1, %t, 40; cvta.to.global.u64 %rd0, %to; sub.s64 %rd0, %rd0, "
                                         "160; @%p1 ld.global.u32 %v, [%rd0]; bar.sync 0;",
                                     64);
                    })
        .size();
  };
  EXPECT_EQ(races(""), 1u);
  EXPECT_EQ(races("bar.sync 0;"), 0u);
}

TEST(PtxChecks, AtomicsDoNotRace) {
  EXPECT_EQ(
      found_by(&Checks::races, [] { of_each_thread(std::string(kShared) + "atom.shared.add.u32 %v, [row], 1;", 64); })
          .size(),
      0u);
}

TEST(PtxChecks, UnwrittenMemoryIsSeen) {
  DeviceArray<uint32_t> to(1), from(2, false);
  const std::string copy =
      ".reg .b64 %a, %b; .reg .b32 %v; ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %v, [%b]; "
      "st.global.u32 [%a], %v; ret;";
  const auto run = [&] { run_kernel(copy, to.data(), from.data(), 1); };
  EXPECT_EQ(found_by(&Checks::unwritten, run).size(), 1u);
  DeviceMemory::instance().mark_written(from.data(), 4);
  EXPECT_EQ(found_by(&Checks::unwritten, run).size(), 0u);
}

TEST(PtxChecks, DivergentBarriersAreNoted) {
  EXPECT_EQ(
      found_by(
          &Checks::races,
          [] { of_each_thread("setp.eq.u32 %p0, %t, 0; @%p0 bra $a; bar.sync 0; bra $end; $a: bar.sync 0; $end:", 2); })
          .size(),
      1u);
  EXPECT_EQ(found_by(&Checks::races, [] { of_each_thread("setp.eq.u32 %p0, %t, 0; @%p0 ret; bar.sync 0;", 2); }).size(),
            1u);
}

const char* const kLoad = ".reg .b64 %a; .reg .b32 %v; .reg .b64 %w; ld.param.u64 %a, [from];";

TEST(PtxFault, OfAddresses) {
  DeviceArray<uint32_t> ours(3), theirs(3);
  const auto load = [&](const char* instruction, const void* from) {
    return fault_of(std::string(kLoad) + instruction + "ret;", ours.data(), from);
  };
  EXPECT_NE(std::string(load("ld.global.u32 %v, [%a+12];", ours.data()).what())
                .find("beyond the ends of its allocation: a load of 4 bytes"),
            std::string::npos);
  EXPECT_EQ(load("ld.global.u32 %v, [%a-4];", ours.data()).code, kIllegalAddress);
  EXPECT_EQ(load("ld.global.u32 %v, [%a];", nullptr).code, kIllegalAddress);
  EXPECT_EQ(load("ld.u32 %v, [%a];", &ours).code, kIllegalAddress);  // an address of the host
  EXPECT_EQ(load("st.global.u32 [%a+2], 1;", ours.data()).code, kMisalignedAddress);
  EXPECT_EQ(load("ld.global.b64 %w, [%a+4];", ours.data()).code, kMisalignedAddress);
  EXPECT_EQ(load("atom.global.add.u32 %v, [%a+100], 1;", ours.data()).code, kIllegalAddress);
  const uint32_t* freed;
  {
    DeviceArray<uint32_t> short_lived(3);
    freed = short_lived.data();
  }
  EXPECT_NE(std::string(load("ld.global.u32 %v, [%a];", freed).what()).find("freed memory"), std::string::npos);
  EXPECT_EQ(load(".shared .align 4 .b8 row[16]; ld.shared.u32 %v, [row+16];", ours.data()).code, kIllegalAddress);
}

TEST(PtxFault, NamesTheBlockTheThreadAndTheLine) {
  DeviceArray<uint32_t> ours(1);
  const std::string body =
      ".reg .b64 %a; .reg .pred %p; .reg .b32 %t;\nld.param.u64 %a, [to];\nmov.u32 %t, %tid.x;\nsetp.eq.u32 %p, %t, "
      "2;\n@%p st.global.u32 [%a+4], 1;\nret;";
  EXPECT_NE(
      std::string(fault_of(body, ours.data(), nullptr, 4).what()).find("[block 0,0,0, thread 2 of 4, line 6 of k]"),
      std::string::npos);
}

TEST(PtxFault, OfThreadsThatDoNotMeet) {
  const auto code = [](const std::string& body, uint32_t threads) {
    return fault_of(".reg .b32 %t, %v; .reg .pred %p<2>; mov.u32 %t, %tid.x; setp.eq.u32 %p0, %t, 0;" + body, nullptr,
                    nullptr, threads)
        .code;
  };
  EXPECT_EQ(code("@%p0 ret; shfl.sync.idx.b32 %v, %t, 0, 31, -1; ret;", 32), kLaunchFailure);
  EXPECT_EQ(code("shfl.sync.idx.b32 %v, %t, 0, 31, -1; ret;", 16), kLaunchFailure);
  EXPECT_EQ(code("@%p0 ret; shfl.sync.idx.b32 %v, %t, 0, 31, 0xfffffffe; ret;", 32), kLaunchFailure);
  EXPECT_EQ(code("@%p0 bra $b; bar.warp.sync -1; ret; $b: bar.sync 0; ret;", 32), kLaunchTimeout);
  EXPECT_EQ(code("trap;", 1), kLaunchFailure);
}

/// Each thread stores the next number, so the stored numbers show the order in which the threads of all blocks ran.
/// `more` has instructions that run before this.
Values order_of(std::optional<uint64_t> seed, uint32_t threads, uint32_t blocks, const std::string& more = "") {
  DeviceArray<uint32_t> to(threads * blocks + 1);
  const auto before = std::exchange(Checks::instance().order, seed);
  run_kernel(
      ".reg .b64 %to, %at; .reg .b32 %t, %n, %v, %b; ld.param.u64 %to, [to]; mov.u32 %t, %tid.x; mov.u32 %b, "
      "%ctaid.x;" +
          more +
          "mov.u32 %n, %ntid.x; mad.lo.u32 %t, %b, %n, %t; mul.wide.u32 %at, %t, 4; add.s64 %at, %at, %to;"
          "atom.global.add.u32 %v, [%to], 1; st.global.u32 [%at+4], %v; ret;",
      to.data(), nullptr, threads, blocks);
  Checks::instance().order = before;
  Values v = to.values();
  v.erase(v.begin());
  return v;
}

TEST(PtxMachine, SeedsChangeTheOrderOfThreadsAndBlocks) {
  EXPECT_EQ(order_of(std::nullopt, 64, 2), numbers(128));
  const Values seeded = order_of(3, 64, 2);
  EXPECT_NE(seeded, numbers(128));
  EXPECT_TRUE(std::is_permutation(seeded.begin(), seeded.end(), numbers(128).begin()));
  EXPECT_EQ(order_of(3, 64, 2), seeded);
}

TEST(PtxMachine, SeedsChangeOrderOfBlocksUnlessKernelSleeps) {
  EXPECT_NE(order_of(5, 1, 16), numbers(16));
  EXPECT_EQ(order_of(5, 1, 16, "nanosleep.u32 20;"), numbers(16));
}

TEST(PtxMachine, RefusesBlocksThatAreTooLarge) {
  DeviceArray<uint32_t> ours(1);
  EXPECT_EQ(fault_of("ret;", ours.data(), nullptr, 1025).code, kInvalidValue);
}

}  // namespace
}  // namespace ersatz::ptx
