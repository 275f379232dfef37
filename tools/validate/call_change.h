// Changes of a call that has not been made yet: sizes, dtypes and layouts of its tensors.
//
// The list of calls, random calls and the shrinker are made of these. Each returns empty where it changes nothing.
#pragma once

#include "runtime/op/sample_layout.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

/// May the k-th tensor of the call be changed?
using Chosen = std::function<bool(size_t k)>;
inline bool every_tensor(size_t) { return true; }

enum class NewStrides : uint8_t {
  RowMajor,
  InOrder  ///< dims keep their order in memory; what was permuted, gapped or expanded stays so
};

/// Each dim of size `from` has size `to`. `chosen` is asked for each tensor.
std::optional<CallSpec> with_size(const CallSpec& spec, int64_t from, int64_t to, NewStrides strides,
                                  const Chosen& chosen = every_tensor);
/// Without one dim, counted from the end where `from_end`, of each chosen tensor that has it.
std::optional<CallSpec> without_dim(const CallSpec& spec, size_t dim, bool from_end,
                                    const Chosen& chosen = every_tensor);
/// Tensors of dtype `from`, or of any if empty, have dtype `to`. `chosen` is asked for those alone.
std::optional<CallSpec> with_dtype(const CallSpec& spec, std::optional<DType> from, DType to,
                                   const Chosen& chosen = every_tensor);
/// Lays tensors out. Those that share a storage stay as they are: the sample means that sharing.
std::optional<CallSpec> with_layout(const CallSpec& spec, const std::function<SampleLayout(size_t k)>& layout_of);
/// Row-major, from the start of the storage.
std::optional<CallSpec> row_major(const CallSpec& spec, const Chosen& chosen = every_tensor);

/// The sizes that occur, each once, in order.
std::vector<int64_t> sizes_of(const CallSpec& spec);

}  // namespace ersatz::tools
