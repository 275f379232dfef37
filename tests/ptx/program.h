// A program of PTX as the interpreter runs it: modules of functions of instructions (NVIDIA, "PTX ISA", version 9.0).
// parser.h makes it of text, machine.h runs it.
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

/// Does the work of one instruction for one thread.
using Run = void (*)(Thread&, const Instruction&);

/// A register, by its slot in the frame, or a number.
struct Operand {
  uint64_t bits = 0;
  int32_t slot = -1;     ///< -1: `bits` is the value
  bool negated = false;  ///< `!%p`, of predicates alone
};

enum class Space : uint8_t { Generic, Global, Shared, Local, Param };

/// What the offset of a memory operand counts from.
enum class Base : uint8_t { Operand, Parameters, Locals };

/// A piece of a frame's parameters.
struct Area {
  int32_t offset = -1;
  int32_t bytes = 0;
};

struct CallSite {
  std::string name;
  Function* callee = nullptr;
  std::vector<Area> arguments;  ///< in the caller's frame
  Area result;                  ///< offset -1: none
};

struct Instruction {
  static constexpr int kMost = 8;  ///< operands, and results

  Run run = nullptr;
  Operand from[kMost];
  int32_t to[kMost];  ///< slots; -1: the result is thrown away
  uint8_t from_count = 0, to_count = 0;
  uint8_t form = 0;   ///< which of its opcode's forms: the enum that the opcode's file names
  uint8_t width = 1;  ///< elements of a vector, bits of a part
  bool flush = false, saturate = false;
  bool synchronises = false;  ///< an atomic, volatile, relaxed, acquiring or releasing access
  Space space = Space::Generic;
  Base base = Base::Operand;
  bool guard_negated = false;
  int32_t guard = -1;   ///< slot of the predicate that decides whether it runs; -1: it always does
  int32_t target = -1;  ///< index of the instruction to go to
  uint32_t line = 0;    ///< of the function's text
  int64_t offset = 0;
  std::unique_ptr<CallSite> call;
  mutable uint64_t runs = 0;
};

struct Function {
  std::string name;
  Module* module = nullptr;
  bool is_kernel = false, is_parsed = false;
  std::string_view body;  ///< of the module's text
  std::vector<Area> parameters;
  Area result;
  std::map<std::string, int32_t, std::less<>> offsets;  ///< of parameters and the result, by name
  int32_t parameter_bytes = 0;                          ///< of its own parameters and those of the calls that it makes
  int32_t local_bytes = 0, static_shared_bytes = 0;
  int32_t slots = 0;
  int most_threads = 1024;
  bool sleeps = false;  ///< has a `nanosleep`: it waits for other blocks
  std::deque<Instruction> code;
  uint64_t launches = 0;
};

/// A variable of a module that all of its threads see.
struct Variable {
  std::unique_ptr<char[]> memory;
  char* data = nullptr;  ///< aligned to 128 bytes
  size_t bytes = 0;
};

struct Module {
  std::string name, text;  ///< comments are blank
  std::unordered_map<std::string, std::unique_ptr<Function>> functions;
  std::unordered_map<std::string, Variable> variables;
  std::map<std::string, int32_t, std::less<>> shared;  ///< bytes of shared variables; -1: sized by the launch
};

/// C++'s spelling of a mangled name, or the name itself.
std::string readable(const std::string& name);

}  // namespace ersatz::ptx
