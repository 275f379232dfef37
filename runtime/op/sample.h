// Makes calls from samples: an op's declared arguments become real tensors, seeded and in several layouts.
//
// Tests, crosscheck and benchmarks all take their calls from here, so an op is tried in every layout without a line
// in its own tests. Values belong to logical positions: the same sample holds the same values in every layout except
// Expanded, so results of two layouts can be compared. Bytes between elements are 0x7f, which no kernel may read.
#pragma once

#include <vector>

#include "runtime/op/literal.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/sample_layout.h"

namespace ersatz {

/// The layouts for all samples. SizeOne and SizeZero change dim 0 of the tensors of highest rank, in elementwise ops.
inline constexpr SampleLayout kSampleLayouts[] = {SampleLayout::AsWritten, SampleLayout::Permuted,
                                                  SampleLayout::Sliced,    SampleLayout::Expanded,
                                                  SampleLayout::SizeOne,   SampleLayout::SizeZero};

struct SampleOptions {
  SampleLayout layout = SampleLayout::AsWritten;
  uint64_t seed = 0;
};

/// Can `layout` be used for every sample of the op? Expanded memory cannot be written, and only elementwise ops allow
/// changed sizes.
bool layout_applies(const OpEntry& op, SampleLayout layout);

/// Returns the complete, checked arguments of the text `arguments`. Tensors are filled from [low, high], integers
/// inclusive. A written argument is never expanded. `~in1` in a literal shares the storage of the sample's tensor 1, an
/// earlier one, counted in the order of the text. Samples with `~` are always made as written.
std::vector<Value> sample_arguments(const OpEntry& op, std::string_view arguments, double low, double high,
                                    const SampleOptions& options = {});
std::vector<Value> sample_arguments(const OpEntry& op, const Sample& sample, const SampleOptions& options = {});
std::vector<Value> sample_arguments(const OpEntry& op, const ErrorSample& sample);

/// Returns the complete, checked arguments with fake tensors: checks a text against the schema without memory.
std::vector<Value> bind_sample(const FunctionSchema& schema, std::string_view arguments);

/// Returns a real CPU tensor with that metadata. All bytes of its storage are 0x7f. Strides may overlap.
Tensor make_sample_tensor(TensorMeta meta, std::optional<int64_t> storage_bytes = std::nullopt);
/// Fills element `i` (row-major) with a random number in [low, high] that (seed, i) determines. Integers inclusive,
/// bools fair, both parts of complex numbers. REQUIRES: a CPU tensor.
void fill_random(const Tensor& t, double low, double high, uint64_t seed);

}  // namespace ersatz
