// Reads the arguments of `ersatz fake --dynamic`: sizes of a program's inputs that become symbols.
//
//   x:0=batch:1..64@8     dim 0 of input x is `batch`: between 1 and 64, for example 8
//   y:0=batch             dim 0 of input y has the size of dim 0 of x
//   x:2=4*h               a multiple of four
//   x:1=len:2..           an open end; `..64` begins at 0
//   x:1=n:0..10?          unbacked: it has no example that could decide a condition
//   n=k:0..10             an input that is a number
//   auto                  each dim of each user input is a symbol of its own, `s0`, `s1`, ...
//
// Without a range a size is at least 1 (0 if the recorded size is 0) and has no upper end. Without `@` the recorded
// size is the example. A range bounds the whole expression: `x:2=4*h:4..64` leaves h in [1, 16].
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// One size or number that the user declares to be symbolic.
struct DynamicSize {
  std::string text;            ///< as the user wrote it
  std::string input;           ///< name of a graph input
  std::optional<int64_t> dim;  ///< nullopt: the input is a number. A negative dim counts from the end
  std::string size;            ///< an expression over symbols
  std::optional<int64_t> min, max, hint;
  bool ranged = false;    ///< the user gave a range, whose ends may be open
  bool unbacked = false;  ///< the user wrote `?`
};

struct DynamicInputs {
  bool all = false;  ///< the user wrote `auto`
  std::vector<DynamicSize> sizes;
  bool empty() const { return !all && sizes.empty(); }
};

/// Parses arguments of the forms above. RAISES InvalidArgument, with the argument and the expected form, if one is
/// malformed.
DynamicInputs parse_dynamic_inputs(std::span<const std::string> words);

/// Writes symbols into the recorded metadata of the program's inputs: the declared sizes, and strides that are products
/// of them. Recorded metadata of other values keep the example sizes, because they are evidence only for these sizes.
/// Returns the names of the declared symbols, in order. RAISES InvalidArgument for a missing input or dim, an empty
/// range, an example outside its range, one symbol for two sizes, and an expression that cannot have the recorded size.
std::vector<std::string> make_dynamic(Program& program, const DynamicInputs& dynamic);

}  // namespace ersatz
