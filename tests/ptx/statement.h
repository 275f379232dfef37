// One instruction of a function's text, split into words and operands, and helpers that turn it into an Instruction.
#pragma once

#include <algorithm>
#include <utility>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

struct Statement {
  std::string_view text;
  uint32_t line = 0;
  std::vector<std::string_view> words;     ///< the opcode and its modifiers: add, rn, f32
  std::vector<std::string_view> operands;  ///< operands in braces or brackets count as one each

  std::string_view opcode() const { return words[0]; }
  std::string_view type() const { return words.back(); }
  bool has(std::string_view word) const { return std::find(words.begin() + 1, words.end(), word) != words.end(); }
};

/// Returns the text without white space at its ends.
std::string_view trimmed(std::string_view text);
/// Returns the parts between commas outside of brackets.
std::vector<std::string_view> split(std::string_view text, char at = ',');
/// Returns the value of a literal: decimal, hexadecimal, or 0f and 0d with the bits of a float.
uint64_t number(std::string_view literal);
/// Returns the size of a type in bytes: 4 for `f32`.
int bytes_of(std::string_view type);

/// Returns the value of a word in the table, or `otherwise`. REQUIRES: the table is constexpr, because it is read until
/// the end of the process.
template <class T, size_t n>
constexpr T value_of_word(const std::pair<std::string_view, T> (&table)[n], std::string_view word, T otherwise) {
  for (const auto& [known, value] : table) {
    if (known == word) return value;
  }
  return otherwise;
}

/// The names that a function defines, while the function is parsed. Each method adds an operand to the instruction, and
/// throws ParseError for an unknown name.
class Names {
 public:
  virtual ~Names() = default;
  virtual void to(Instruction& i, std::string_view name) = 0;
  virtual void from(Instruction& i, std::string_view operand) = 0;
  /// Parses `[x+8]`: sets the first operand and the base of a memory access.
  virtual void address(Instruction& i, std::string_view operand) = 0;
  /// Adds the address of a parameter or local variable. Returns false if the name is neither.
  virtual bool frame_address(Instruction& i, std::string_view name) = 0;
  virtual void jump(Instruction& i, std::string_view label) = 0;
  virtual Area parameter(std::string_view name) = 0;
  virtual Function* function(std::string_view name) = 0;
  [[noreturn]] virtual void refuse(std::string_view what) = 0;

  /// Adds the first operand as the result and the others as inputs.
  void result_and_operands(Instruction& i, const Statement& s) {
    if (s.operands.empty()) refuse("operands are missing");
    to(i, s.operands[0]);
    for (size_t k = 1; k < s.operands.size(); ++k) from(i, s.operands[k]);
  }
};

// Each function parses the opcodes of one file. It returns false for other opcodes, and else sets `run`.
bool parse_arithmetic(const Statement& s, Names& names, Instruction& i);
bool parse_bits(const Statement& s, Names& names, Instruction& i);
bool parse_conversion(const Statement& s, Names& names, Instruction& i);
bool parse_memory(const Statement& s, Names& names, Instruction& i);
bool parse_control(const Statement& s, Names& names, Instruction& i);
bool parse_collective(const Statement& s, Names& names, Instruction& i);

// Lists of types that opcodes are compiled for.
template <class... T>
struct Types {};
using Integers = Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
using Floats = Types<float, double>;
using Numbers = Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, float, double>;

template <class T>
bool is_spelled(std::string_view type) {
  constexpr bool is_float = std::is_floating_point_v<T>, is_signed = std::is_signed_v<T>;
  if (type.size() < 2 || bytes_of(type) != int(sizeof(T))) return false;
  if (is_float) return type[0] == 'f';
  return is_signed ? type[0] == 's' : (type[0] == 'u' || type[0] == 'b') && type[1] != 'f';
}

/// Returns Op::run<T> for the type T of that name; null if it is none of these.
template <class Op, class... T>
Run for_type(std::string_view type, Types<T...>) {
  Run run = nullptr;
  ((run = !run && is_spelled<T>(type) ? &Op::template run<T> : run), ...);
  return run;
}

}  // namespace ersatz::ptx
