// Sizes of a program's inputs that are to be symbols: what `ersatz fake --dynamic` says.
//
//   x:0=batch:1..64@8     dim 0 of input x is `batch`, between 1 and 64, 8 in the example
//   y:0=batch             the same size
//   x:2=4*h               a multiple of four
//   x:1=len:2..           an open end; `..64` begins at 0
//   x:1=n:0..10?          unbacked: without an example, so nothing is decided by one
//   n=k:0..10             an input that is a number
//   auto                  each dim of each user input is a symbol of its own, `s0`, `s1`, ...
//
// Without a range a size is at least 1 (0 where the recorded one is 0) and has no upper end. Without `@` the recorded
// size is the example. A range bounds the size as written: `x:2=4*h:4..64` leaves h in [1, 16].
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// One size or number that was declared.
struct DynamicSize {
  std::string text;            ///< as the user wrote it
  std::string input;           ///< name of a graph input
  std::optional<int64_t> dim;  ///< none: the input is a number. Negative ones count from the end
  std::string size;            ///< an expression over symbols
  std::optional<int64_t> min, max, hint;
  bool ranged = false;    ///< a range is given, both ends of which may be open
  bool unbacked = false;  ///< `?`
};

struct DynamicInputs {
  bool all = false;  ///< `auto`
  std::vector<DynamicSize> sizes;
  bool empty() const { return !all && sizes.empty(); }
};

/// Reads words like those above. InvalidArgument names the word, and what is expected where it ends to be one.
DynamicInputs parse_dynamic_inputs(std::span<const std::string> words);

/// Puts symbols into the records of the program's inputs: declared sizes, and strides that are products of them. What
/// the program records of other values stays as it is, a witness at the example sizes. Answers the names of the symbols
/// that were declared, in order. InvalidArgument: an input or dim that is not there, an empty range, an example outside
/// of its range, one symbol for two sizes, an expression that the recorded size is no value of.
std::vector<std::string> make_dynamic(Program& program, const DynamicInputs& dynamic);

}  // namespace ersatz
