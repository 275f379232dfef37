// ld, st, atom, red: each access is checked before it is made.
#include <cstdio>

#include "tests/ptx/checks.h"
#include "tests/ptx/device_memory.h"
#include "tests/ptx/statement.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

enum class Access : uint8_t { Load, Store, Atomic };

template <class Container>
bool lies_in(uint64_t address, size_t bytes, const Container& memory, size_t size) {
  const auto begin = reinterpret_cast<uint64_t>(&*memory);
  return address >= begin && address + bytes <= begin + size;
}
/// Returns whether the bytes belong to a variable of the module, or, for generic addresses, to shared memory or the
/// thread's frames.
bool is_known_elsewhere(const Thread& t, const Instruction& i, uint64_t address, size_t bytes) {
  for (const auto& [name, v] : t.function->module->variables) {
    if (lies_in(address, bytes, v.data, v.bytes)) return true;
  }
  if (i.space != Space::Generic) return false;
  const Block& b = *t.block;
  return lies_in(address, bytes, b.shared, b.shared_bytes) ||
         lies_in(address, bytes, t.local_stack.data(), t.local_stack.size()) ||
         lies_in(address, bytes, t.parameter_stack.data(), t.parameter_stack.size());
}

[[noreturn]] void refuse(int code, const char* what, Access access, size_t bytes, uint64_t address) {
  char text[200];
  std::snprintf(text, sizeof text, "%s: %s of %zu bytes at 0x%llx", what,
                access == Access::Load    ? "a load"
                : access == Access::Store ? "a store"
                                          : "an atomic operation",
                bytes, static_cast<unsigned long long>(address));
  throw Fault(code, text);
}

uint64_t address_of(const Thread& t, const Instruction& i) {
  const uint64_t base = i.base == Base::Parameters ? reinterpret_cast<uint64_t>(t.parameters)
                        : i.base == Base::Locals   ? reinterpret_cast<uint64_t>(t.locals)
                                                   : value_of<uint64_t>(t, i.from[0]);
  return base + static_cast<uint64_t>(i.offset);
}

/// Returns the host address of the accessed bytes. Throws Fault.
char* place(Thread& t, const Instruction& i, size_t bytes, Access access) {
  uint64_t address = address_of(t, i), aligned = address;
  if (i.space == Space::Shared) {
    aligned = static_cast<uint32_t>(address) - kSharedBase;
    if (aligned + bytes > t.block->shared_bytes)
      refuse(kIllegalAddress, "beyond the block's shared memory", access, bytes, address);
    address = reinterpret_cast<uint64_t>(t.block->shared) + aligned;
  } else if (i.space == Space::Global || i.space == Space::Generic) {
    DeviceMemory& memory = DeviceMemory::instance();
    if (memory.holds(reinterpret_cast<void*>(address))) {
      if (const char* fault = memory.fault_of(address, bytes)) refuse(kIllegalAddress, fault, access, bytes, address);
    } else if (!is_known_elsewhere(t, i, address, bytes)) {
      refuse(kIllegalAddress, "an address that is not the device's", access, bytes, address);
    }
  }
  if (aligned % bytes != 0) refuse(kMisalignedAddress, "a misaligned address", access, bytes, address);
  return reinterpret_cast<char*>(address);
}

bool is_of_device(const Instruction& i) { return i.space == Space::Global || i.space == Space::Generic; }

void look_for_races(Thread& t, const Instruction& i, const char* at, size_t bytes, SharedRaces::Use use) {
  Checks& checks = Checks::instance();
  if (!checks.races) return;
  const auto size = static_cast<uint32_t>(bytes);
  if (at >= t.block->shared && at + bytes <= t.block->shared + t.block->shared_bytes) {
    const auto offset = static_cast<uint32_t>(at - t.block->shared);
    if (const char* race = checks.shared.use(use, offset, size, t.number))
      checks.note(t, i, std::string("a race in shared memory: ") + race);
  } else if (DeviceMemory::instance().holds(at)) {
    const auto address = reinterpret_cast<uint64_t>(at);
    if (i.synchronises) {
      checks.global.synchronise(address);
      use = SharedRaces::Use::Updates;
    }
    if (const char* race = checks.global.use(use, address, size, t.number))
      checks.note(t, i, std::string("a race in device memory: ") + race);
  }
}
void look_for_unwritten(Thread& t, const Instruction& i, const char* at, size_t bytes) {
  Checks& checks = Checks::instance();
  if (checks.unwritten && is_of_device(i) &&
      !DeviceMemory::instance().is_written(reinterpret_cast<uint64_t>(at), bytes))
    checks.note(t, i, "a read of device memory that nothing has written");
}
void mark_written(const Instruction& i, const char* at, size_t bytes) {
  if (Checks::instance().unwritten && is_of_device(i)) DeviceMemory::instance().mark_written(at, bytes);
}

struct Load {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const size_t bytes = sizeof(T) * i.width;
    const char* const at = place(t, i, bytes, Access::Load);
    look_for_unwritten(t, i, at, bytes);
    look_for_races(t, i, at, bytes, SharedRaces::Use::Reads);
    for (int k = 0; k < i.width; ++k) {
      T v;
      std::memcpy(&v, at + k * sizeof(T), sizeof v);
      write(t, i, v, k);
    }
  }
};
/// `st`: its first operand is the address.
struct Store {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    const size_t bytes = sizeof(T) * i.width;
    char* const at = place(t, i, bytes, Access::Store);
    look_for_races(t, i, at, bytes, SharedRaces::Use::Writes);
    for (int k = 0; k < i.width; ++k) {
      const T v = read<T>(t, i, 1 + k);
      std::memcpy(at + k * sizeof(T), &v, sizeof v);
    }
    mark_written(i, at, bytes);
  }
};

enum Update : uint8_t { kAdd, kAnd, kOr, kXor, kMin, kMax, kExchange, kCompareAndSwap, kIncrement, kDecrement };

template <class T>
T updated(const Thread& t, const Instruction& i, T old) {
  const T v = read<T>(t, i, 1);
  if constexpr (std::is_floating_point_v<T>) {
    return i.form == kAdd ? old + v : v;
  } else {
    switch (i.form) {
      case kAdd:
        return static_cast<T>(uint64_t(old) + uint64_t(v));
      case kAnd:
        return old & v;
      case kOr:
        return old | v;
      case kXor:
        return old ^ v;
      case kMin:
        return std::min(old, v);
      case kMax:
        return std::max(old, v);
      case kCompareAndSwap:
        return old == v ? read<T>(t, i, 2) : old;
      case kIncrement:
        return old >= v ? T(0) : static_cast<T>(old + 1);
      case kDecrement:
        return old == 0 || old > v ? v : static_cast<T>(old - 1);
      default:
        return v;
    }
  }
}
struct Atomic {
  template <class T>
  static void run(Thread& t, const Instruction& i) {
    char* const at = place(t, i, sizeof(T), Access::Atomic);
    look_for_unwritten(t, i, at, sizeof(T));
    look_for_races(t, i, at, sizeof(T), SharedRaces::Use::Updates);
    T old;
    std::memcpy(&old, at, sizeof old);
    const T now = updated(t, i, old);
    std::memcpy(at, &now, sizeof now);
    mark_written(i, at, sizeof now);
    write(t, i, old);
  }
};

Space space_of(const Statement& s) {
  if (s.has("global") || s.has("const")) return Space::Global;
  if (s.has("shared") || s.has("shared::cta")) return Space::Shared;
  if (s.has("local")) return Space::Local;
  if (s.has("param") || s.has("param::entry") || s.has("param::func")) return Space::Param;
  return Space::Generic;
}

bool synchronises(const Statement& s) {
  return s.has("volatile") || s.has("relaxed") || s.has("acquire") || s.has("release");
}

void parse_load_or_store(const Statement& s, Names& names, Instruction& i, bool loads) {
  using Loaded = Types<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, float, double>;
  if (s.operands.size() != 2) names.refuse("an access has two operands");
  i.space = space_of(s);
  i.synchronises = synchronises(s);
  i.width = s.has("v4") ? 4 : s.has("v2") ? 2 : 1;
  i.run = loads ? for_type<Load>(s.type(), Loaded()) : for_type<Store>(s.type(), Loaded());
  if (!i.run) names.refuse("this type is neither loaded nor stored");
  names.address(i, s.operands[loads ? 1 : 0]);
  const std::string_view values = s.operands[loads ? 0 : 1];
  const std::string_view inside = values[0] == '{' ? values.substr(1, values.size() - 2) : values;
  const std::vector<std::string_view> parts = split(inside);
  if (parts.size() != i.width) names.refuse("a vector has as many elements as its access");
  for (std::string_view part : parts) loads ? names.to(i, part) : names.from(i, part);
}

void parse_atomic(const Statement& s, Names& names, Instruction& i) {
  static constexpr std::pair<std::string_view, uint8_t> kUpdates[] = {
      {"add", kAdd}, {"and", kAnd},       {"or", kOr},         {"xor", kXor},       {"min", kMin},
      {"max", kMax}, {"inc", kIncrement}, {"dec", kDecrement}, {"exch", kExchange}, {"cas", kCompareAndSwap}};
  const bool reduces = s.opcode() == "red";
  const size_t address = reduces ? 0 : 1;
  if (s.operands.size() < address + 2) names.refuse("an atomic operation has an address and a value");
  constexpr uint8_t kUnknown = 255;
  i.form = kUnknown;
  for (std::string_view word : s.words) i.form = value_of_word(kUpdates, word, i.form);
  i.run = for_type<Atomic>(s.type(), Numbers());
  if (!i.run || i.form == kUnknown) names.refuse("this atomic operation is not known");
  if (s.type()[0] == 'f' && i.form != kAdd) names.refuse("floats are added atomically, nothing else");
  i.space = space_of(s);
  i.synchronises = true;
  names.to(i, reduces ? "_" : s.operands[0]);
  names.address(i, s.operands[address]);
  for (size_t k = address + 1; k < s.operands.size(); ++k) names.from(i, s.operands[k]);
}

}  // namespace

bool parse_memory(const Statement& s, Names& names, Instruction& i) {
  const std::string_view op = s.opcode();
  const bool loads = op == "ld" || op == "ldu";
  if (loads || op == "st") {
    parse_load_or_store(s, names, i, loads);
    return true;
  }
  if (op != "atom" && op != "red") return false;
  parse_atomic(s, names, i);
  return true;
}

}  // namespace ersatz::ptx
