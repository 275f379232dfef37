// A thread of a launch: its registers, and the place at which it waits.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

/// An error for which a GPU ends a launch. `code` is CUDA's (cudaError_t).
struct Fault : std::runtime_error {
  Fault(int code, const std::string& text) : std::runtime_error(text), code(code) {}
  int code;
};
inline constexpr int kInvalidValue = 1, kIllegalAddress = 700, kLaunchTimeout = 702, kMisalignedAddress = 716,
                     kLaunchFailure = 719;

/// The address at which instructions see the begin of shared memory. It is not 0, so null is no shared address.
inline constexpr uint32_t kSharedBase = 1024;

struct Block {
  const Function* kernel = nullptr;
  uint32_t index[3] = {}, grid[3] = {1, 1, 1}, size[3] = {1, 1, 1};  ///< ctaid, nctaid, ntid
  char* shared = nullptr;
  uint32_t shared_bytes = 0;
  std::vector<char> parameters;
};

struct Frame {
  Function* function = nullptr;
  size_t next = 0;  ///< index of the next instruction
  size_t registers = 0, parameters = 0, locals = 0;
  const Instruction* call = nullptr;  ///< the call instruction that left the frame
};

struct Thread {
  enum class State : uint8_t { Runs, AtBarrier, AtCollective, Yields, Ended };

  State state = State::Runs;
  bool carry = false;
  bool at_barrier_value = false;  ///< predicate of the thread for `bar.red`
  uint32_t mask = 0;              /// lanes of the collective operation at which it waits
  uint32_t index[3] = {};         ///< tid
  int number = 0;                 ///< number in the block
  int lane = 0;
  size_t next = 0;
  Function* function = nullptr;
  uint64_t* registers = nullptr;
  char* parameters = nullptr;
  char* locals = nullptr;
  Block* block = nullptr;
  const Instruction* waits_at = nullptr;
  std::vector<Frame> frames;
  std::vector<uint64_t> register_stack;
  std::vector<char> parameter_stack, local_stack;

  /// Prepares the thread to run the block's first instruction.
  void start(Block& of, int number);
  void enter(const Frame& frame);
  /// Runs until the thread ends or waits. Throws Fault.
  void run();
};

template <class T>
T value_of(const Thread& t, const Operand& o) {
  const uint64_t bits = o.slot >= 0 ? t.registers[o.slot] : o.bits;
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
T read(const Thread& t, const Instruction& i, int k) {
  return value_of<T>(t, i.from[k]);
}
inline bool read_predicate(const Thread& t, const Instruction& i, int k) {
  return (read<uint8_t>(t, i, k) != 0) != i.from[k].negated;
}

/// Signed integers are stored sign-extended to 64 bits, all other types zero-extended.
template <class T>
void write(Thread& t, const Instruction& i, T value, int k = 0) {
  if (i.to[k] < 0) return;
  uint64_t bits = 0;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  } else {
    std::memcpy(&bits, &value, sizeof value);
  }
  t.registers[i.to[k]] = bits;
}

}  // namespace ersatz::ptx
