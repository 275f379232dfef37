// Packets of adjacent elements in memory, which one instruction of a GPU moves. Device code.
#pragma once

#include "runtime/cuda/device_code.h"

namespace ersatz {

/// An array of kItems elements, aligned to its size, but at most to the 16 bytes that one instruction moves.
template <class T, int kItems>
struct alignas(sizeof(T) * kItems < 16 ? sizeof(T) * kItems : 16) Packet {
  T item[kItems];
};

/// The number of elements that fill 16 bytes; 1 for larger elements.
template <class T>
inline constexpr int kPacketItems = sizeof(T) < 16 ? 16 / sizeof(T) : 1;

}  // namespace ersatz
