// Dense rows of any address and length that teams of threads read and write 16 bytes at a time. Device code.
//
// A row is cut into packets at addresses that are multiples of 16 bytes. If a packet crosses an end of the row, its
// elements are read and written one by one. So are all elements of a second operand whose alignment differs from the
// row's. A row can be cut with "loose ends" instead. Then it has whole packets only, and each element before or after
// them has a thread of its own. The row's address modulo 16 decides which thread has which elements, and so the order
// of a sum. So sums over equal elements at different addresses may differ in their last bits. Two runs of one call give
// equal bits.
#pragma once

#include "runtime/cuda/block.h"
#include "runtime/cuda/packet.h"

namespace ersatz {

/// The packets of a row of n elements. `first` returns the index of a packet's first element; for packet 0 the index
/// may be negative. Index is int for short rows.
template <int kItems, class Index = int64_t>
struct RowCut {
  Index n;
  Index skew;        ///< number of elements by which packet 0 begins before the row
  Index begin, end;  ///< elements begin ... end - 1 are in packets; with loose ends, only whole packets count
  Index start;       ///< the index of the first element of packet 0

  /// Cuts `row` into packets at aligned addresses.
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
  /// Returns the index of the loose element of thread `member` of the team; n or more if the thread has none.
  ERSATZ_DEVICE Index loose(int member) const { return member < begin ? member : end + (member - begin); }

  /// Returns the elements of the packet that begins at index `first`, with `filler` for elements outside the row.
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

/// The threads that share a row, and whether their registers can hold the whole row.
struct RowTeam {
  static constexpr int kHeldItems = 16;        ///< most elements of a row that one thread holds in registers
  static constexpr int kLongRowThreads = 512;  ///< threads of a block if registers cannot hold the row

  int shift = 0;    ///< 2^shift threads share a row: lanes of a warp, or all threads of a block
  int threads = 0;  ///< threads of a block
  bool holds = false;
  bool loose_ends = false;  ///< each element outside of the row's whole packets has a thread of its own

  ERSATZ_HD constexpr int width() const { return 1 << shift; }
  ERSATZ_DEVICE int64_t row(const cuda_module::Block& block) const {
    return (block.index() * threads + block.thread()) >> shift;
  }
  ERSATZ_DEVICE int member(const cuda_module::Block& block) const { return block.thread() & (width() - 1); }
  int64_t blocks(int64_t rows) const { return ((rows << shift) + threads - 1) / threads; }
};

/// Returns the smallest team whose registers can hold a row of n elements. A larger team would waste time, because each
/// thread processes as many elements as it can hold, even outside the row. REQUIRES: `items` is the number of elements
/// in a packet. If `whole`, each row begins and ends with a packet. Otherwise rows have loose ends if the team has a
/// thread for each loose element.
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
    if (!team.loose_ends) team = team_of((n + 2 * (items - 1)) / items);  // packets of a row at the worst address
  }
  team.threads = !team.holds ? RowTeam::kLongRowThreads : team.shift <= 5 ? 128 : team.width();
  if (!team.holds) team.shift = 9;
  return team;
}

/// Chooses the team for dense rows of n elements. The first row begins at `rows`, the others follow it.
template <class T>
RowTeam choose_row_team(const T* rows, int64_t n) {
  constexpr int kItems = kPacketItems<T>;
  const bool aligned = reinterpret_cast<uintptr_t>(rows) % alignof(Packet<T, kItems>) == 0;
  return choose_row_team(n, kItems, aligned && n % kItems == 0);
}

/// Adds the totals of two threads.
struct Plus {
  ERSATZ_DEVICE double operator()(double a, double b) const { return a + b; }
};

/// One thread's elements of a row of T, converted to the compute type C: packets, and with loose ends one more element.
template <class T, class C>
struct HeldRow {
  static constexpr int kItems = kPacketItems<T>;
  static constexpr int kPackets = RowTeam::kHeldItems / kItems < 4 ? RowTeam::kHeldItems / kItems : 4;
  using Cut = RowCut<kItems, int>;

  C item[kPackets][kItems];
  C loose;

  ERSATZ_DEVICE void read(const T* row, const Cut& cut, int member, int width, T filler) {
    Packet<T, kItems> packets[kPackets];  // all loads are issued before the first one is used
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
  /// Calls f(element) for each element that the thread holds, including fillers for elements outside the row.
  template <class F>
  ERSATZ_DEVICE void each(const F& f) {
    ERSATZ_UNROLL
    for (int p = 0; p < kPackets; ++p) {
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) f(item[p][k]);
    }
    f(loose);
  }
  /// Replaces held elements that are outside the row by `filler`.
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
