// The metadata of the arguments and results of one call, as inference sees them: no data and no rule.
//
// Sizes are plain integers. Flat numbers count tensor arguments in schema order; tensors of lists count separately.
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
/// REQUIRES: no symbols.
PlainMeta plain_meta(const TensorMeta& meta);
TensorMeta tensor_meta(const PlainMeta& meta);

struct SeenArgument {
  enum class Kind : uint8_t { None, Tensor, Tensors, Bool, Int, Float, Complex, Ints, DType, Other } kind = Kind::None;
  std::vector<PlainMeta> tensors;  ///< for Tensor and Tensors
  int first_flat = -1;             ///< flat number of the first tensor
  int64_t number = 0;              ///< for Bool, Int and DType
  Extents ints;
  std::string text;  ///< for Other: its spelling

  bool is_number() const { return kind >= Kind::Bool && kind <= Kind::Complex; }
};

struct SeenResult {
  enum class Kind : uint8_t { None, Number, Tensor } kind = Kind::None;
  PlainMeta meta;
  int storage_of = -1;  ///< flat tensor argument with the same storage; -1: none
  int is = -1;          ///< flat tensor argument that is the same object; -1: none
};

struct Observation {
  std::vector<SeenArgument> arguments;
  std::vector<SeenResult> results;  ///< flat
  std::string spelling;             ///< text of the arguments, for people
};

/// The arguments of a call; nullopt if one of them is symbolic.
std::optional<std::vector<SeenArgument>> seen_arguments(std::span<const Value> args);
/// The observation of a call: `before` was made before it ran, `args` and `results` are those of the call.
Observation observe(std::vector<SeenArgument> before, std::span<const Value> args, std::span<const Value> results);

/// The observation in a record that has results; nullopt for a record with an error or an unusable one. With a schema,
/// `names` are its argument names and the arguments are in its order. Without one (null), positional arguments come
/// first, then keyword arguments by name. New names are added to `names`, and each gets a place among the arguments.
std::optional<Observation> observe(const CallRecord& record, const FunctionSchema* schema,
                                   std::vector<std::string>& names);

/// The kinds of the arguments, one word each: `tensor, none, number`.
std::string pattern_of(std::span<const SeenArgument> arguments);
/// pattern_of with ranks of tensors and lengths of lists: `tensor3, none, ints2`. An inferred rule answers only for the
/// signatures of its examples.
std::string signature_of(std::span<const SeenArgument> arguments);
/// The arguments as a person would write them.
std::string spell(std::span<const SeenArgument> arguments);

}  // namespace ersatz::tools
