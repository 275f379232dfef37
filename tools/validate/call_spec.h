// A call that has not been made yet: metadata of its tensors, and how they will be filled.
//
// A spec holds placeholders, tensors on fake storages, and no bytes: it is cheap to copy, to change in one place and to
// print. `make_arguments` turns it into real arguments; the same spec gives the same bytes in every process.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/op/op_entry.h"

namespace ersatz::tools {

/// What the elements of a spec's tensors hold.
enum class FillKind : uint8_t {
  Zeros,
  Ones,
  Random,     ///< from the sample's range
  IndexSafe,  ///< likewise, but integers are valid positions: of the declared domain, else of the smallest dim
  Recorded    ///< what a recorded call had
};
/// Those that need no record.
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
  /// Schema position of each of them.
  std::vector<size_t> positions() const;
  /// `aten.add.Tensor(f32[2,3], f32[3]) fill=random`.
  std::string spelled() const;
};

/// A sample of the op as a spec. An op that derives its samples (in-place and `out=` forms) takes those of its
/// functional op; the results that an `out=` form writes are laid out as the functional op's rule says. Raises Error
/// where that rule cannot be asked.
CallSpec spec_of(const OpEntry& op, const Sample& sample);
/// The samples that `spec_of` takes: the op's own, or those of the op that it is derived from.
const std::vector<Sample>& samples_of(const OpEntry& op);
/// Asks the functional op's rule once more what an `out=` form's arguments must be. Nothing for other ops.
void renew_outs(CallSpec& spec);

/// The spec with other metadata for some tensors. `change(k, meta)`: true if it changed the metadata of the k-th of
/// `tensors()`. Storages stay shared as they were and hold what their tensors need. Empty: nothing was changed.
std::optional<CallSpec> with_metas(const CallSpec& spec, const std::function<bool(size_t, TensorMeta&)>& change);
/// Does the k-th tensor share its storage with another of the call?
std::vector<bool> shares_storage(const CallSpec& spec);

/// Real arguments on the device, filled. Bytes between elements are 0x7f, which no kernel may read.
std::vector<Value> make_arguments(const CallSpec& spec, Device device);

}  // namespace ersatz::tools
