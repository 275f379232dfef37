// The interpreter's form of PTX programs: modules of functions of instructions (NVIDIA, "PTX ISA", version 9.0).
// parser.h makes it from text, machine.h runs it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ersatz::ptx {

struct Thread;
struct Instruction;
struct Function;
struct Module;

/// Runs one instruction for one thread.
using Run = void (*)(Thread&, const Instruction&);

/// A register, given by its slot in the frame, or a number.
struct Operand {
  uint64_t bits = 0;
  int32_t slot = -1;     ///< -1: `bits` is the value
  bool negated = false;  ///< `!%p`, only for predicates
};

enum class Space : uint8_t { Generic, Global, Shared, Local, Param };

/// The base of a memory operand's offset.
enum class Base : uint8_t { Operand, Parameters, Locals };

/// A part of a frame's parameters.
struct Area {
  int32_t offset = -1;
  int32_t bytes = 0;
};

struct CallSite {
  std::string name;
  Function* callee = nullptr;
  std::vector<Area> arguments;  ///< areas in the caller's frame
  Area result;                  ///< offset -1: none
};

struct Instruction {
  static constexpr int kMost = 8;  ///< most operands, and most results

  Run run = nullptr;
  Operand from[kMost];
  int32_t to[kMost];  ///< slots of the results; -1: the result is dropped
  uint8_t from_count = 0, to_count = 0;
  uint8_t form = 0;   ///< form of the opcode, of an enum in the opcode's file
  uint8_t width = 1;  ///< elements of a vector, or bits of a part; the opcode's file says which
  bool flush = false, saturate = false;
  bool synchronises = false;  ///< an atomic, volatile, relaxed, acquiring or releasing access
  Space space = Space::Generic;
  Base base = Base::Operand;
  bool guard_negated = false;
  int32_t guard = -1;   ///< slot of the predicate that decides whether it runs; -1: it always does
  int32_t target = -1;  ///< index of the instruction to go to
  uint32_t line = 0;    ///< line in the function's text
  int64_t offset = 0;
  std::unique_ptr<CallSite> call;
  mutable uint64_t runs = 0;
};

struct Function {
  std::string name;
  Module* module = nullptr;
  bool is_kernel = false, is_parsed = false;
  std::string_view body;  ///< part of the module's text
  std::vector<Area> parameters;
  Area result;
  std::map<std::string, int32_t, std::less<>> offsets;  ///< offsets of the parameters and the result, by name
  int32_t parameter_bytes = 0;                          ///< bytes of its own parameters and of its calls' parameters
  int32_t local_bytes = 0, static_shared_bytes = 0;
  int32_t slots = 0;
  int most_threads = 1024;
  bool sleeps = false;  ///< it has a `nanosleep`, so it waits for other blocks
  std::deque<Instruction> code;
  uint64_t launches = 0;
};

/// A variable of a module, which all threads share.
struct Variable {
  std::unique_ptr<char[]> memory;
  char* data = nullptr;  ///< aligned to 128 bytes
  size_t bytes = 0;
};

struct Module {
  std::string name, text;  ///< in `text`, comments are blank
  std::unordered_map<std::string, std::unique_ptr<Function>> functions;
  std::unordered_map<std::string, Variable> variables;
  std::map<std::string, int32_t, std::less<>> shared;  ///< bytes of each shared variable; -1: the launch gives the size
};

/// Returns the C++ spelling of a mangled name, or the name itself.
std::string readable(const std::string& name);

}  // namespace ersatz::ptx
