// A call that has not been made yet: metadata of its tensors, and their fill.
//
// A spec has placeholders, which are tensors on fake storages, and no bytes. It is cheap to copy, change and print.
// `make_arguments` makes real arguments from it; the same spec gives the same bytes in every process.
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
  Random,     ///< from the sample's range
  IndexSafe,  ///< like Random, but integers are valid positions: of the declared domain, else of the smallest dim
  Recorded    ///< the values of a recorded call
};
/// The fills that need no record.
inline constexpr FillKind kFillKinds[] = {FillKind::Zeros, FillKind::Ones, FillKind::Random, FillKind::IndexSafe};
std::string_view name(FillKind fill);  ///< `zeros`, `ones`, `random`, `index_safe`, `recorded`

struct CallSpec {
  const OpEntry* op = nullptr;
  std::vector<Value> args;  ///< complete; tensors are placeholders
  FillKind fill = FillKind::Random;
  double low = -2, high = 2;  ///< range of random elements
  uint64_t seed = 0;

  /// Placeholders in the order of the schema, each once.
  std::vector<Tensor> tensors() const;
  /// Schema position of each tensor in `tensors()`.
  std::vector<size_t> positions() const;
  /// `aten.add.Tensor(f32[2,3], f32[3]) fill=random`.
  std::string spelled() const;
};

/// A sample of the op as a spec. In-place and `out=` forms take the samples of their functional op. The tensors that an
/// `out=` form writes have the metadata of the functional op's rule. RAISES Error if that rule refuses.
CallSpec spec_of(const OpEntry& op, const Sample& sample);
/// The samples that `spec_of` takes: the op's own, or those of its functional op.
const std::vector<Sample>& samples_of(const OpEntry& op);
/// Asks the functional op's rule again for the metadata of an `out=` form's tensors. Does nothing for other ops.
void renew_outs(CallSpec& spec);

/// The spec with changed metadata of some tensors. `change(k, meta)` returns true if it changed the k-th of
/// `tensors()`. Shared storages stay shared, and are as large as their tensors need. nullopt if nothing was changed.
std::optional<CallSpec> with_metas(const CallSpec& spec, const std::function<bool(size_t, TensorMeta&)>& change);
/// For each tensor: true if it shares its storage with another tensor of the call.
std::vector<bool> shares_storage(const CallSpec& spec);

/// Makes real, filled arguments on the device. Bytes between elements are 0x7f; no kernel may read them.
std::vector<Value> make_arguments(const CallSpec& spec, Device device);

}  // namespace ersatz::tools
