#include "tests/ptx/collective.h"

#include <utility>

#include "tests/ptx/statement.h"

namespace ersatz::ptx {
namespace {

enum Collective : uint8_t {
  kUp,
  kDown,
  kButterfly,
  kIndex,  // shfl
  kAll,
  kAny,
  kUniform,
  kBallot,  // vote
  kBarrier,
  kMatch,
  kSum,
  kLeast,
  kGreatest,
  kLeastSigned,
  kGreatestSigned,
  kAnd,
  kOr,
  kXor  // redux
};

/// Makes the thread wait for its warp. The last operand is the mask of lanes.
void wait_for_warp(Thread& t, const Instruction& i) {
  t.state = Thread::State::AtCollective;
  t.waits_at = &i;
  t.mask = read<uint32_t>(t, i, i.from_count - 1);
}
void active_mask(Thread& t, const Instruction& i) { write(t, i, ~0u); }

/// The lanes of a mask, with the operand of each.
class Lanes {
 public:
  Lanes(Thread* warp, uint32_t mask) : warp_(warp), mask_(mask), at_(*warp[__builtin_ctz(mask)].waits_at) {
    for_each([&](int lane) {
      const Thread& t = warp[lane];
      if (t.waits_at != &at_) throw Fault(kLaunchFailure, "lanes of a warp wait at different collectives");
      const bool votes = at_.form >= kAll && at_.form <= kBallot;
      if (at_.form != kBarrier) brought_[lane] = votes ? read_predicate(t, at_, 0) : read<uint64_t>(t, at_, 0);
    });
  }

  const Instruction& at() const { return at_; }
  template <class F>
  void for_each(F&& f) const {
    for (int lane = 0; lane < 32; ++lane) {
      if (mask_ >> lane & 1) f(lane);
    }
  }
  void finish() {
    for_each([&](int lane) {
      Thread& t = warp_[lane];
      if (at_.form <= kIndex)
        shuffle(t, lane);
      else if (at_.form == kBallot)
        write(t, at_, ballot());
      else if (at_.form <= kUniform)
        write<uint8_t>(t, at_, vote());
      else if (at_.form == kMatch)
        write(t, at_, equal_to(lane));
      else if (at_.form >= kSum)
        write(t, at_, reduced());
    });
    for_each([&](int lane) { warp_[lane].state = Thread::State::Runs; });
  }

 private:
  /// The operands are value, lane, and clamp and segment packed as PTX does.
  void shuffle(Thread& t, int lane) const {
    const auto by = static_cast<int>(read<uint32_t>(t, at_, 1) & 31);
    const auto packed = read<uint32_t>(t, at_, 2);
    const auto segment = static_cast<int>(packed >> 8 & 31), clamp = static_cast<int>(packed & 31);
    const int last = (lane & segment) | (clamp & ~segment);
    int source = lane;
    bool in_range = false;
    switch (at_.form) {
      case kUp:
        source = lane - by, in_range = source >= last;
        break;
      case kDown:
        source = lane + by, in_range = source <= last;
        break;
      case kButterfly:
        source = lane ^ by, in_range = source <= last;
        break;
      default:
        source = (lane & segment) | (by & ~segment), in_range = source <= last;
    }
    if (!in_range) source = lane;
    if (!(mask_ >> source & 1)) throw Fault(kLaunchFailure, "a shuffle from a lane that is not in its mask");
    write(t, at_, static_cast<uint32_t>(brought_[source]));
    if (at_.to_count > 1) write<uint8_t>(t, at_, in_range, 1);
  }
  uint32_t ballot() const {
    uint32_t v = 0;
    for_each([&](int lane) { v |= uint32_t(brought_[lane] != 0) << lane; });
    return v;
  }
  bool vote() const {
    const uint32_t v = ballot();
    return at_.form == kAny ? v != 0 : v == mask_ || (at_.form == kUniform && v == 0);
  }
  uint32_t equal_to(int lane) const {
    uint32_t v = 0;
    for_each([&](int other) { v |= uint32_t(bits(other) == bits(lane)) << other; });
    return v;
  }
  /// Returns the operand of a lane that is compared, of 64 or 32 bits.
  uint64_t bits(int lane) const { return at_.width == 64 ? brought_[lane] : brought_[lane] & 0xffffffff; }
  uint32_t reduced() const {
    uint32_t v = 0;
    bool is_first = true;
    for_each([&](int lane) {
      const auto x = static_cast<uint32_t>(brought_[lane]);
      v = std::exchange(is_first, false) ? x : combined(v, x);
    });
    return v;
  }
  uint32_t combined(uint32_t a, uint32_t b) const {
    const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
    switch (at_.form) {
      case kSum:
        return a + b;
      case kLeast:
        return std::min(a, b);
      case kGreatest:
        return std::max(a, b);
      case kLeastSigned:
        return static_cast<uint32_t>(std::min(x, y));
      case kGreatestSigned:
        return static_cast<uint32_t>(std::max(x, y));
      case kAnd:
        return a & b;
      case kOr:
        return a | b;
      default:
        return a ^ b;
    }
  }

  Thread* warp_;
  uint32_t mask_;
  const Instruction& at_;
  uint64_t brought_[32] = {};
};

uint8_t form_of(const Statement& s, Names& names) {
  const std::string_view op = s.opcode();
  const bool is_signed = s.type() == "s32";
  if (op == "bar" || op == "barrier") return kBarrier;
  if (op == "shfl") return s.has("up") ? kUp : s.has("down") ? kDown : s.has("bfly") ? kButterfly : kIndex;
  if (op == "vote") return s.has("ballot") ? kBallot : s.has("all") ? kAll : s.has("any") ? kAny : kUniform;
  if (op == "match") {
    if (!s.has("any")) names.refuse("match.all is not known");
    return kMatch;
  }
  if (s.has("add")) return kSum;
  if (s.has("min")) return is_signed ? kLeastSigned : kLeast;
  if (s.has("max")) return is_signed ? kGreatestSigned : kGreatest;
  return s.has("and") ? kAnd : s.has("or") ? kOr : kXor;
}

}  // namespace

bool is_warp_barrier(const Instruction& i) { return i.form == kBarrier; }

void finish_collective(Thread* warp, uint32_t mask) { Lanes(warp, mask).finish(); }

bool parse_collective(const Statement& s, Names& names, Instruction& i) {
  const std::string_view op = s.opcode();
  if (op == "activemask") {
    i.run = active_mask;
    names.result_and_operands(i, s);
    return true;
  }
  const bool is_barrier = (op == "bar" || op == "barrier") && s.has("warp");
  if (!is_barrier && op != "shfl" && op != "vote" && op != "match" && op != "redux") return false;
  const size_t operands = is_barrier ? 1 : op == "shfl" ? 5 : 3;
  if (s.operands.size() != operands) names.refuse("this collective has another number of operands");
  i.form = form_of(s, names);
  i.width = s.type() == "b64" ? 64 : 32;
  i.run = wait_for_warp;
  size_t first = 0;
  if (!is_barrier) {
    for (std::string_view to : split(s.operands[first++], '|')) names.to(i, to);
  }
  for (size_t k = first; k < operands; ++k) names.from(i, s.operands[k]);
  return true;
}

}  // namespace ersatz::ptx
