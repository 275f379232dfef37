// A call that has not been made yet: the metadata of its tensors, and how they are filled.
//
// The tensors of a spec are placeholders on fake storages, without bytes, so a spec is cheap to copy, change and print.
// `make_arguments` makes real arguments from a spec. Equal specs give equal bytes in every process.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::tools {

/// How the elements of a spec's tensors are filled.
enum class FillKind : uint8_t {
  Zeros,
  Ones,
  Random,  ///< random numbers from the sample's range
  /// Like Random, but integers are valid indices: for the declared dim or, if none is declared, for the smallest dim.
  IndexSafe,
  Recorded  ///< the values that a recorded call has
};
/// All fills except Recorded, which needs a record.
inline constexpr FillKind kFillKinds[] = {FillKind::Zeros, FillKind::Ones, FillKind::Random, FillKind::IndexSafe};
std::string_view name(FillKind fill);  ///< `zeros`, `ones`, `random`, `index_safe`, `recorded`

struct CallSpec {
  const OpEntry* op = nullptr;
  std::vector<Value> args;  ///< one for each argument of the schema; tensors are placeholders
  FillKind fill = FillKind::Random;
  double low = -2, high = 2;  ///< range of random elements
  uint64_t seed = 0;

  /// Returns the placeholders in the order of the schema, each once.
  std::vector<Tensor> tensors() const;
  /// Returns, for each tensor in `tensors()`, the position of its argument in the schema.
  std::vector<size_t> positions() const;
  /// Returns the text of the call: `aten.add.Tensor(f32[2,3], f32[3]) fill=random`.
  std::string spelled() const;
};

/// Makes a spec from a sample. In-place and `out=` overloads use the samples of their functional op. The `out` tensors
/// get the metadata that the functional op's rule returns. RAISES Error if that rule refuses.
CallSpec spec_of(const OpEntry& op, const Sample& sample);
/// Returns the samples for `spec_of`: the op's own, or those of its functional op.
const std::vector<Sample>& samples_of(const OpEntry& op);
/// Updates the metadata of an `out=` overload's `out` tensors by running the functional op's rule again. Does nothing
/// for other ops.
void renew_outs(CallSpec& spec);

/// Returns the spec with changed metadata of some tensors. `change(k, meta)` returns true if it changed the k-th of
/// `tensors()`. Shared storages stay shared, and are as large as their tensors need. nullopt if nothing was changed.
std::optional<CallSpec> with_metas(const CallSpec& spec, const std::function<bool(size_t, TensorMeta&)>& change);
/// Returns, for each tensor, true if it shares its storage with another tensor of the call.
std::vector<bool> shares_storage(const CallSpec& spec);

/// Makes real, filled arguments on the device. Bytes between a tensor's elements are 0x7f, to show if a kernel reads
/// them.
std::vector<Value> make_arguments(const CallSpec& spec, Device device);

}  // namespace ersatz::tools
