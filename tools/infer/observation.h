// One call of an op as an inference sees it: the metadata of its arguments and of what came back. No data, no rule.
//
// Sizes are plain integers. Flat numbers count tensor arguments in schema order, lists flattened.
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
  std::vector<PlainMeta> tensors;  ///< of Tensor and Tensors
  int first_flat = -1;             ///< flat number of the first of them
  int64_t number = 0;              ///< of Bool, Int and DType
  Extents ints;
  std::string text;  ///< of Other: its spelling

  bool is_number() const { return kind >= Kind::Bool && kind <= Kind::Complex; }
};

struct SeenResult {
  enum class Kind : uint8_t { None, Number, Tensor } kind = Kind::None;
  PlainMeta meta;
  int storage_of = -1;  ///< flat tensor argument whose storage it has; -1: none
  int is = -1;          ///< flat tensor argument that it is, the same object; -1: none
};

struct Observation {
  std::vector<SeenArgument> arguments;
  std::vector<SeenResult> results;  ///< flat
  std::string spelling;             ///< the arguments, for people
};

/// The arguments of a call. Empty: something in them is symbolic, and nothing can be said.
std::optional<std::vector<SeenArgument>> seen_arguments(std::span<const Value> args);
/// The outcome of a call: `before` was seen before it ran, `args` and `results` are those of the call.
Observation observe(std::vector<SeenArgument> before, std::span<const Value> args, std::span<const Value> results);

/// A record that has results. With a schema its arguments stand as in a call that is bound to it, and `names` are those
/// of the schema. Without one (null) the positional ones come first, then keyword ones by name: `names` gains those
/// that it lacks, and the arguments a place for each. Empty: it has an error, or is unusable.
std::optional<Observation> observe(const CallRecord& record, const FunctionSchema* schema,
                                   std::vector<std::string>& names);

/// The kinds of the arguments in a word each: `tensor, none, number`.
std::string pattern_of(std::span<const SeenArgument> arguments);
/// The same with the ranks of tensors and the lengths of lists: `tensor3, none, ints2`. It tells for which calls an
/// inferred rule speaks.
std::string signature_of(std::span<const SeenArgument> arguments);
/// The arguments as a person would write them.
std::string spell(std::span<const SeenArgument> arguments);

}  // namespace ersatz::tools
