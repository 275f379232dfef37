// Changes of sizes, dtypes and layouts of the tensors of a call that has not been made yet.
//
// The list of calls, random calls and the shrinker use these. Each returns nullopt if it changes nothing.
#pragma once

#include "runtime/op/sample_layout.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

/// True if the k-th tensor of the call may be changed.
using Chosen = std::function<bool(size_t k)>;
inline bool every_tensor(size_t) { return true; }

enum class NewStrides : uint8_t {
  RowMajor,
  InOrder  ///< stride order, gaps and expanded dims are kept
};

/// Replaces size `from` by `to` in each dim. `chosen` is asked for each tensor.
std::optional<CallSpec> with_size(const CallSpec& spec, int64_t from, int64_t to, NewStrides strides,
                                  const Chosen& chosen = every_tensor);
/// Removes one dim, counted from the end if `from_end`, from each chosen tensor that has it.
std::optional<CallSpec> without_dim(const CallSpec& spec, size_t dim, bool from_end,
                                    const Chosen& chosen = every_tensor);
/// Changes tensors of dtype `from`, or of any dtype if it is empty, to dtype `to`. `chosen` is asked for these tensors
/// only.
std::optional<CallSpec> with_dtype(const CallSpec& spec, std::optional<DType> from, DType to,
                                   const Chosen& chosen = every_tensor);
/// Changes the layout of tensors. Tensors that share a storage are unchanged, because the sample needs the sharing.
std::optional<CallSpec> with_layout(const CallSpec& spec, const std::function<SampleLayout(size_t k)>& layout_of);
/// Makes the layout row-major, with offset 0.
std::optional<CallSpec> row_major(const CallSpec& spec, const Chosen& chosen = every_tensor);

/// The sizes of the tensors, each once, in order.
std::vector<int64_t> sizes_of(const CallSpec& spec);

}  // namespace ersatz::tools
