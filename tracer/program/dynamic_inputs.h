// Reads the arguments of `ersatz fake --dynamic`: sizes of a program's inputs that become symbols.
//
//   x:0=batch:1..64@8     dim 0 of input x is `batch`, between 1 and 64, 8 in the example
//   y:0=batch             the same size
//   x:2=4*h               a multiple of four
//   x:1=len:2..           an open end; `..64` begins at 0
//   x:1=n:0..10?          unbacked: it has no example, so no condition is decided by one
//   n=k:0..10             an input that is a number
//   auto                  each dim of each user input is a symbol of its own, `s0`, `s1`, ...
//
// Without a range a size is at least 1 (0 if the recorded size is 0) and has no upper end. Without `@` the recorded
// size is the example. A range bounds the size as written: `x:2=4*h:4..64` leaves h in [1, 16].
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// A declared size or number.
struct DynamicSize {
  std::string text;            ///< as the user wrote it
  std::string input;           ///< name of a graph input
  std::optional<int64_t> dim;  ///< none: the input is a number. Negative dims count from the end
  std::string size;            ///< an expression over symbols
  std::optional<int64_t> min, max, hint;
  bool ranged = false;    ///< a range is given; both of its ends may be open
  bool unbacked = false;  ///< `?`
};

struct DynamicInputs {
  bool all = false;  ///< `auto`
  std::vector<DynamicSize> sizes;
  bool empty() const { return !all && sizes.empty(); }
};

/// Parses words of the forms above. Raises InvalidArgument with the word and the expected text.
DynamicInputs parse_dynamic_inputs(std::span<const std::string> words);

/// Writes symbols into the recorded metadata of the program's inputs: declared sizes, and strides that are products of
/// them. The records of other values keep the example sizes and stay evidence for these. Returns the names of the
/// declared symbols, in order. Raises InvalidArgument for a missing input or dim, an empty range, an example outside of
/// its range, and one symbol for two sizes. Raises InvalidArgument too for an expression that cannot have the recorded
/// size.
std::vector<std::string> make_dynamic(Program& program, const DynamicInputs& dynamic);

}  // namespace ersatz
