// Dense rows that teams of threads read and write 16 bytes at a time, whatever their address and length. Device code.
//
// A row is cut into packets where addresses are multiples of 16 bytes. The first and the last packet may lie across an
// end of the row: their elements are read and written one by one, and so are those of a second operand that lies
// otherwise. A row with loose ends has whole packets only, and a thread has one of the elements around them. Which
// thread has which elements, and with it the order of a sum, depends on the row's address modulo 16: sums over equal
// elements may differ in their last bits between addresses, though never between two runs of one call.
#pragma once

#include "runtime/cuda/block.h"
#include "runtime/cuda/packet.h"

namespace ersatz {

/// The packets of a row of n elements. `first` is the index of a packet's first element, which may lie before the row.
/// Index: int where rows are short.
template <int kItems, class Index = int64_t>
struct RowCut {
  Index n;
  Index skew;        ///< elements of packet 0 that lie before the row
  Index begin, end;  ///< of the elements that packets have: all, or with loose ends those of whole packets
  Index start;       ///< first(0)

  /// Cut by the address of `row`, whose packets are aligned then.
  template <class T>
  ERSATZ_DEVICE RowCut(const T* row, int64_t elements, bool loose_ends = false)
      : n(static_cast<Index>(elements)),
        skew(static_cast<Index>(reinterpret_cast<uintptr_t>(row) / sizeof(T) % kItems)),
        begin(0),
        end(n),
        start(-skew) {
    if (!loose_ends) return;
    begin = skew > 0 ? kItems - skew : 0;
    if (begin > n) begin = n;
    end = begin + (n - begin) / kItems * kItems;
    start = begin;
  }

  ERSATZ_DEVICE Index packets() const { return (n + skew + kItems - 1) / kItems; }
  ERSATZ_DEVICE Index first(Index packet) const { return packet * kItems + start; }
  ERSATZ_DEVICE bool whole(Index first) const { return first >= begin && first + kItems <= end; }
  ERSATZ_DEVICE bool has(Index i) const { return i >= begin && i < end; }
  /// The index of the loose element of a thread of the row's team; n or more where the thread has none.
  ERSATZ_DEVICE Index loose(int member) const { return member < begin ? member : end + (member - begin); }

  /// Elements first ... of `row`; `filler` where the row has none.
  template <class T>
  ERSATZ_DEVICE Packet<T, kItems> read(const T* row, Index first, T filler) const {
    using P = Packet<T, kItems>;
    if (whole(first) && aligned<P>(row + first)) return *reinterpret_cast<const P*>(row + first);
    P packet;
    ERSATZ_UNROLL
    for (int k = 0; k < kItems; ++k) packet.item[k] = has(first + k) ? row[first + k] : filler;
    return packet;
  }
  template <class T>
  ERSATZ_DEVICE void write(T* row, Index first, const Packet<T, kItems>& packet) const {
    using P = Packet<T, kItems>;
    if (whole(first) && aligned<P>(row + first)) return cuda_module::store_packet(row + first, packet);
    ERSATZ_UNROLL
    for (int k = 0; k < kItems; ++k) {
      if (has(first + k)) row[first + k] = packet.item[k];
    }
  }

 private:
  template <class P>
  ERSATZ_DEVICE static bool aligned(const void* p) {
    return reinterpret_cast<uintptr_t>(p) % alignof(P) == 0;
  }
};

/// How many threads share a row, and whether they can hold all of it in registers.
struct RowTeam {
  static constexpr int kHeldItems = 16;        ///< of a thread, at most
  static constexpr int kLongRowThreads = 512;  ///< of a block, for rows that are not held

  int shift = 0;    ///< 2^shift threads a row: lanes of a warp, or all threads of a block
  int threads = 0;  ///< of a block
  bool holds = false;
  bool loose_ends = false;  ///< the elements around a row's whole packets are held one a thread

  ERSATZ_HD constexpr int width() const { return 1 << shift; }
  ERSATZ_DEVICE int64_t row(const cuda_module::Block& block) const {
    return (block.index() * threads + block.thread()) >> shift;
  }
  ERSATZ_DEVICE int member(const cuda_module::Block& block) const { return block.thread() & (width() - 1); }
  int64_t blocks(int64_t rows) const { return ((rows << shift) + threads - 1) / threads; }
};

/// `items`: of a packet. `whole`: each row begins and ends with a packet. As few threads as can hold the row: each goes
/// through all that it can hold, whether the row has it or not. Other rows have loose ends where the team has a thread
/// for each loose element.
constexpr RowTeam choose_row_team(int64_t n, int items, bool whole) {
  const int held = RowTeam::kHeldItems / items < 4 ? RowTeam::kHeldItems / items : 4;
  const auto team_of = [&](int64_t packets) {
    RowTeam team;
    while (team.shift < 10 && int64_t(team.width()) * held < packets) ++team.shift;
    team.holds = int64_t(team.width()) * held >= packets;
    return team;
  };
  RowTeam team = team_of(n / items);
  if (!whole) {
    team.loose_ends = team.holds && team.width() >= 2 * (items - 1);
    if (!team.loose_ends) team = team_of((n + 2 * (items - 1)) / items);  // of the worst address
  }
  team.threads = !team.holds ? RowTeam::kLongRowThreads : team.shift <= 5 ? 128 : team.width();
  if (!team.holds) team.shift = 9;
  return team;
}

/// For dense rows of n elements, the first of them at `rows`.
template <class T>
RowTeam choose_row_team(const T* rows, int64_t n) {
  constexpr int kItems = kPacketItems<T>;
  const bool aligned = reinterpret_cast<uintptr_t>(rows) % alignof(Packet<T, kItems>) == 0;
  return choose_row_team(n, kItems, aligned && n % kItems == 0);
}

/// For totals of teams.
struct Plus {
  ERSATZ_DEVICE double operator()(double a, double b) const { return a + b; }
};

/// A thread's part of a row of T, in the type that is computed in: packets, and with loose ends one element more.
template <class T, class C>
struct HeldRow {
  static constexpr int kItems = kPacketItems<T>;
  static constexpr int kPackets = RowTeam::kHeldItems / kItems < 4 ? RowTeam::kHeldItems / kItems : 4;
  using Cut = RowCut<kItems, int>;

  C item[kPackets][kItems];
  C loose;

  ERSATZ_DEVICE void read(const T* row, const Cut& cut, int member, int width, T filler) {
    Packet<T, kItems> packets[kPackets];  // all loads are under way before the first is waited for
    ERSATZ_UNROLL
    for (int p = 0; p < kPackets; ++p) packets[p] = cut.read(row, cut.first(member + p * width), filler);
    const int i = cut.loose(member);
    loose = C(i < cut.n ? row[i] : filler);
    ERSATZ_UNROLL
    for (int p = 0; p < kPackets; ++p) {
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) item[p][k] = C(packets[p].item[k]);
    }
  }
  /// f(element) for each that the thread holds, those outside of the row too.
  template <class F>
  ERSATZ_DEVICE void each(const F& f) {
    ERSATZ_UNROLL
    for (int p = 0; p < kPackets; ++p) {
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) f(item[p][k]);
    }
    f(loose);
  }
  /// Places outside of the row get another value.
  ERSATZ_DEVICE void fill_outside(const Cut& cut, int member, int width, C filler) {
    ERSATZ_UNROLL
    for (int p = 0; p < kPackets; ++p) {
      const int first = cut.first(member + p * width);
      if (cut.whole(first)) continue;
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) item[p][k] = cut.has(first + k) ? item[p][k] : filler;
    }
    if (cut.loose(member) >= cut.n) loose = filler;
  }
  ERSATZ_DEVICE void write(T* row, const Cut& cut, int member, int width) const {
    ERSATZ_UNROLL
    for (int p = 0; p < kPackets; ++p) {
      Packet<T, kItems> packet;
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) packet.item[k] = T(item[p][k]);
      cut.write(row, cut.first(member + p * width), packet);
    }
    const int i = cut.loose(member);
    if (i < cut.n) row[i] = T(loose);
  }
};

}  // namespace ersatz
