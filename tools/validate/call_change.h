// Changes sizes, dtypes and layouts of the tensors of a call that has not been made yet.
//
// The list of calls, random calls and the shrinker use these functions. A function returns nullopt if it would change
// nothing.
#pragma once

#include "runtime/op/sample_layout.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

/// Returns true if the k-th tensor of the call may be changed.
using Chosen = std::function<bool(size_t k)>;
inline bool every_tensor(size_t) { return true; }

enum class NewStrides : uint8_t {
  RowMajor,
  InOrder  ///< keeps stride order, gaps and expanded dims
};

/// Replaces size `from` by `to` in every dim of each chosen tensor.
std::optional<CallSpec> with_size(const CallSpec& spec, int64_t from, int64_t to, NewStrides strides,
                                  const Chosen& chosen = every_tensor);
/// Removes dim `dim`, counted from the end if `from_end`, from each chosen tensor that has the dim.
std::optional<CallSpec> without_dim(const CallSpec& spec, size_t dim, bool from_end,
                                    const Chosen& chosen = every_tensor);
/// Changes chosen tensors of dtype `from`, or of any dtype if it is nullopt, to dtype `to`.
std::optional<CallSpec> with_dtype(const CallSpec& spec, std::optional<DType> from, DType to,
                                   const Chosen& chosen = every_tensor);
/// Changes the layout of tensors. A tensor that shares its storage with another is unchanged, because the sample needs
/// the sharing.
std::optional<CallSpec> with_layout(const CallSpec& spec, const std::function<SampleLayout(size_t k)>& layout_of);
/// Makes the layout of chosen tensors row-major, with offset 0.
std::optional<CallSpec> row_major(const CallSpec& spec, const Chosen& chosen = every_tensor);

/// Returns the sizes that occur in the tensors, each once, in order.
std::vector<int64_t> sizes_of(const CallSpec& spec);

}  // namespace ersatz::tools
