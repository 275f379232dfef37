// Values in recorded calls: `"v":[1.5,"nan",[0,-1]]`, in row-major order, as they are after conj and neg.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class JsonView;
struct CallRecord;
struct RecordedTensor;

/// `inf`, `-inf`, `nan`.
bool parse_special(std::string_view text, double& value);
/// The elements as bytes of the dtype, one after the other. Refuses other counts and kinds than the metadata's.
std::vector<std::byte> parse_values(const JsonView& list, const TensorMeta& meta);
/// The same of `hex`: the elements' bytes as in memory.
std::vector<std::byte> parse_bytes(const JsonView& hex, const TensorMeta& meta);
/// Writes elements where the tensor's layout puts them: conjugated where its conj bit is set and negated where its neg
/// bit is, so that the tensor reads as `values`.
void write_values(std::span<const std::byte> values, const Tensor& to);
/// A row-major tensor that reads as the recorded values, with the conj and neg bits of `like`: its elements in memory
/// compare with those of a tensor of that metadata. REQUIRES: recorded values, and the dtype and sizes of `like`.
Tensor recorded_values(const RecordedTensor& recorded, const TensorMeta& like);
/// Fills the storages of which the record holds no values: with what the op declares for inputs that are not given,
/// else with random numbers; integers that the op takes for positions are valid ones. The same for the same seed. A
/// storage that tensors read as two dtypes keeps its zeros, which are legal in both. False: every storage has recorded
/// values, or is empty. `tensors` are the record's, on the CPU; `args` the complete arguments made of them.
bool fill_unrecorded(const CallRecord& record, std::span<const Tensor> tensors, const OpEntry& op,
                     std::span<const Value> args, uint64_t seed);

}  // namespace ersatz
