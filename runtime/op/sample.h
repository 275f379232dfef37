// Makes the arguments of calls from an op's samples: real tensors with seeded values, in several layouts.
//
// Tests, crosscheck and benchmarks call these functions, so each op is called in every layout without code of its own.
// A value depends on the logical position of its element. A sample therefore has the same values in every layout except
// Expanded, and results of two layouts can be compared. Bytes between elements are 0x7f; no kernel may read them.
#pragma once

#include <vector>

#include "runtime/op/literal.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/sample_layout.h"

namespace ersatz {

/// The layouts that every sample is tried in. SizeOne and SizeZero change dim 0 of the tensors of highest rank, and
/// only for elementwise ops.
inline constexpr SampleLayout kSampleLayouts[] = {SampleLayout::AsWritten, SampleLayout::Permuted,
                                                  SampleLayout::Sliced,    SampleLayout::Expanded,
                                                  SampleLayout::SizeOne,   SampleLayout::SizeZero};

struct SampleOptions {
  SampleLayout layout = SampleLayout::AsWritten;
  uint64_t seed = 0;
};

/// Can `layout` be used for every sample of the op? SizeOne and SizeZero can be used only for elementwise ops.
bool layout_applies(const OpEntry& op, SampleLayout layout);

/// Returns the complete, checked arguments of the text `arguments`. Elements are drawn from [low, high]; integers
/// include both ends. A written argument is never expanded. In a literal, `~in1` shares the storage of the sample's
/// tensor 1, which must come earlier in the text. A sample with `~` has the layout AsWritten in every case.
std::vector<Value> sample_arguments(const OpEntry& op, std::string_view arguments, double low, double high,
                                    const SampleOptions& options = {});
std::vector<Value> sample_arguments(const OpEntry& op, const Sample& sample, const SampleOptions& options = {});
std::vector<Value> sample_arguments(const OpEntry& op, const ErrorSample& sample);

/// Returns the complete, checked arguments, with fake tensors. The function checks a text against the schema without
/// allocating memory.
std::vector<Value> bind_sample(const FunctionSchema& schema, std::string_view arguments);

/// Returns a real CPU tensor with metadata `meta`. All bytes of its storage are 0x7f. Its strides may overlap.
Tensor make_sample_tensor(TensorMeta meta, std::optional<int64_t> storage_bytes = std::nullopt);
/// Sets element `i` (row-major) to a random number in [low, high] that only `seed` and `i` determine. Integers include
/// both ends; bools are true with probability 1/2; both parts of a complex number are random. REQUIRES: a CPU tensor.
void fill_random(const Tensor& t, double low, double high, uint64_t seed);

}  // namespace ersatz
