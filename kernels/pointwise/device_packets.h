// Plans how a CUDA kernel iterates over N strided operands of one shape 16 bytes at a time. Each thread has one packet
// of adjacent elements of the output.
//
// Packets are cut from the elements in the plan's order (device_loop.h), which is the output's order, so a dense output
// is written in whole packets, even across its rows. Packet 0 may begin before the output's first element, so that all
// packets are aligned at any address of the output. In a packet within one row (dim 0), an operand whose elements are
// adjacent and aligned is read by one load. An operand that is broadcast along the row is read once. In all other cases
// elements are moved one by one. Values do not depend on the case.
#pragma once

#include "kernels/pointwise/device_loop.h"
#include "runtime/cuda/packet.h"

namespace ersatz::pointwise {

/// The memory of one packet. A packet has kWidth items, and items low ... high - 1 are elements of the tensor. Items
/// before `split` are in one row of dim 0, and the items from `split` on in the next row.
template <int N, int kWidth>
struct PacketPlace {
  int64_t packet;
  bool direct;  ///< all operands are aligned and contiguous: packet `packet` is whole, and the members below are unset
  int low, split, high;
  int64_t at[N];    ///< for items before `split`: add item * step to get an item's byte offset
  int64_t next[N];  ///< for the items from `split` on: add item * step to get an item's byte offset

  ERSATZ_HD bool whole() const { return low == 0 && split == kWidth; }
  ERSATZ_HD int64_t offset(int k, int item, int64_t step) const {
    return (item < split ? at[k] : next[k]) + item * step;
  }
};

/// Divides a DevicePiece into packets. Operand 0 is the output.
template <int N, int kWidth>
struct PacketWalk {
  using Place = PacketPlace<N, kWidth>;
  DeviceOffsets<N> offsets;
  int64_t numel = 0;
  int skew = 0;       ///< number of items by which packet 0 begins before the output's first element
  bool flat = false;  ///< every operand is contiguous and aligned to 16 bytes

  PacketWalk() = default;
  /// Divides `piece`. REQUIRES: `item` is the size in bytes of an element of the output.
  PacketWalk(const DevicePiece<N>& piece, int64_t item) : offsets(piece.offsets), numel(piece.numel) {
    const auto address = [&](int k) { return reinterpret_cast<uintptr_t>(piece.data[k]); };
    if (step(0) == item) skew = static_cast<int>(address(0) / static_cast<uintptr_t>(item) % kWidth);
    flat = piece.contiguous;
    for (int k = 0; k < N; ++k) flat &= address(k) % 16 == 0;
  }

  ERSATZ_HD int64_t packets() const { return (numel + skew + kWidth - 1) / kWidth; }
  ERSATZ_HD int64_t step(int k) const { return offsets.stride[0][k]; }

  ERSATZ_HD Place of(int64_t packet) const {
    Place place;
    place.packet = packet;
    place.direct = flat && (packet + 1) * kWidth <= numel;
    if (place.direct) return place;
    const int64_t first = packet * kWidth - skew;
    place.low = first < 0 ? static_cast<int>(-first) : 0;
    place.high = numel - first < kWidth ? static_cast<int>(numel - first) : kWidth;
    const auto index = static_cast<uint32_t>(first + place.low);
    const uint32_t row = offsets.dims > 1 ? offsets.size[0].divide(index) : 0;
    const uint32_t column = index - row * offsets.size[0].divisor;
    const uint32_t left = offsets.size[0].divisor - column;  // elements from `column` to the end of the row
    place.split = left < uint32_t(place.high - place.low) ? place.low + static_cast<int>(left) : place.high;
    rows_at(row, place.at);
    for (int k = 0; k < N; ++k) {
      place.at[k] += (int64_t(column) - place.low) * step(k);
      place.next[k] = place.at[k];
    }
    if (place.split < place.high) {
      rows_at(row + 1, place.next);
      for (int k = 0; k < N; ++k) place.next[k] -= place.split * step(k);
    }
    return place;
  }

  /// Returns the elements of operand k. Items outside low ... high - 1 are copies of the nearest element.
  template <class T>
  ERSATZ_DEVICE Packet<T, kWidth> read(const std::byte* data, int k, const Place& place) const {
    // kept_whole joins the packet after the branches: otherwise nvcc splits a packet of 16-bit floats in each branch.
    return cuda_module::kept_whole(read_on_its_path<T>(data, k, place));
  }

  template <class T>
  ERSATZ_DEVICE void write(std::byte* data, const Place& place, const Packet<T, kWidth>& packet) const {
    using P = Packet<T, kWidth>;
    if (place.direct) return cuda_module::store_packet(reinterpret_cast<P*>(data) + place.packet, packet);
    std::byte* const to = data + place.at[0];
    if (place.whole() && step(0) == sizeof(T) && reinterpret_cast<uintptr_t>(to) % alignof(P) == 0) {
      return cuda_module::store_packet(to, packet);
    }
    ERSATZ_UNROLL
    for (int j = 0; j < kWidth; ++j) {
      if (j < place.low || j >= place.high) continue;
      *reinterpret_cast<T*>(data + place.offset(0, j, step(0))) = packet.item[j];
    }
  }

 private:
  template <class T>
  ERSATZ_DEVICE Packet<T, kWidth> read_on_its_path(const std::byte* data, int k, const Place& place) const {
    using P = Packet<T, kWidth>;
    if (place.direct) return reinterpret_cast<const P*>(data)[place.packet];
    P packet;
    const std::byte* const from = data + place.at[k];
    if (place.whole() && step(k) == sizeof(T) && reinterpret_cast<uintptr_t>(from) % alignof(P) == 0) {
      packet = *reinterpret_cast<const P*>(from);
    } else if (place.whole() && step(k) == 0) {
      const T one = *reinterpret_cast<const T*>(from);
      ERSATZ_UNROLL
      for (int j = 0; j < kWidth; ++j) packet.item[j] = one;
    } else {
      ERSATZ_UNROLL
      for (int j = 0; j < kWidth; ++j) {
        const int item = j < place.low ? place.low : j < place.high ? j : place.high - 1;
        packet.item[j] = *reinterpret_cast<const T*>(data + place.offset(k, item, step(k)));
      }
    }
    return packet;
  }
  /// Sets `at` to the byte offset of the first element of row `row` in each operand.
  ERSATZ_HD void rows_at(uint32_t row, int64_t (&at)[N]) const {
    for (int k = 0; k < N; ++k) at[k] = 0;
    ERSATZ_ROLLED
    for (int d = 1; d < offsets.dims; ++d) {
      const uint32_t rest = d + 1 == offsets.dims ? 0 : offsets.size[d].divide(row);
      const uint32_t here = row - rest * offsets.size[d].divisor;
      for (int k = 0; k < N; ++k) at[k] += int64_t(here) * offsets.stride[d][k];
      row = rest;
    }
  }
};

/// Whether packets of `width` elements are faster than single elements. They are slower if the output's elements are
/// not adjacent, because threads then write far from each other. Rows shorter than a packet are not supported by
/// PacketWalk, except for a single element.
template <int N>
bool worth_packets(const DevicePiece<N>& piece, int64_t item, int width) {
  if (piece.numel == 1) return true;
  return piece.offsets.stride[0][0] == item &&
         (piece.offsets.dims == 1 || piece.offsets.size[0].divisor >= static_cast<uint32_t>(width));
}

}  // namespace ersatz::pointwise
