// The metadata of the arguments and results of one call. Inference works only on them; values of tensors are left out.
//
// Sizes are plain integers. Flat numbers count tensor arguments in schema order; each tensor of a list has its own
// number.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

using Extents = std::vector<int64_t>;

/// A tensor's metadata in plain integers.
struct PlainMeta {
  DType dtype = DType::F32;
  Device device = kCPU;
  Extents sizes, strides;
  int64_t offset = 0;
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  bool operator==(const PlainMeta&) const = default;
};
/// Converts metadata. REQUIRES: `meta` has no symbols.
PlainMeta plain_meta(const TensorMeta& meta);
TensorMeta tensor_meta(const PlainMeta& meta);

struct SeenArgument {
  enum class Kind : uint8_t { None, Tensor, Tensors, Bool, Int, Float, Complex, Ints, DType, Other } kind = Kind::None;
  std::vector<PlainMeta> tensors;  ///< for the kinds Tensor and Tensors
  int first_flat = -1;             ///< flat number of the first tensor
  int64_t number = 0;              ///< for the kinds Bool, Int and DType
  Extents ints;
  std::string text;  ///< for the kind Other: the value as text

  bool is_number() const { return kind >= Kind::Bool && kind <= Kind::Complex; }
};

struct SeenResult {
  enum class Kind : uint8_t { None, Number, Tensor } kind = Kind::None;
  PlainMeta meta;
  int storage_of = -1;  ///< flat number of the tensor argument with the same storage; -1: none
  int is = -1;          ///< flat number of the tensor argument that is the same object; -1: none
};

struct Observation {
  std::vector<SeenArgument> arguments;
  std::vector<SeenResult> results;  ///< all results, with lists flattened
  std::string spelling;             ///< the arguments as text for reports
};

/// Converts the arguments of a call; nullopt if one of them is symbolic.
std::optional<std::vector<SeenArgument>> seen_arguments(std::span<const Value> args);
/// Makes the Observation of a call that has run. `before` are its arguments as seen before it ran; `args` and `results`
/// are the call's own.
Observation observe(std::vector<SeenArgument> before, std::span<const Value> args, std::span<const Value> results);

/// Makes the Observation of a recorded call. nullopt if the call raised or the record is unusable. With a schema, the
/// arguments have its names and order, and `names` gets the names. Without one, positional arguments come first, then
/// keyword arguments by name. A keyword that is not in `names` is appended to it.
std::optional<Observation> observe(const CallRecord& record, const FunctionSchema* schema,
                                   std::vector<std::string>& names);

/// Returns the kinds of the arguments, one word each: `tensor, none, number`.
std::string pattern_of(std::span<const SeenArgument> arguments);
/// Returns pattern_of with the ranks of tensors and lengths of lists: `tensor3, none, ints2`. An inferred rule answers
/// only for signatures that its examples have.
std::string signature_of(std::span<const SeenArgument> arguments);
/// Writes the arguments as text for a reader.
std::string spell(std::span<const SeenArgument> arguments);

}  // namespace ersatz::tools
