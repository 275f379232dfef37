// Values in recorded calls: `"v":[1.5,"nan",[0,-1]]`, in row-major order, with conj and neg applied.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class JsonView;
struct CallRecord;
struct RecordedTensor;

/// Parses `inf`, `-inf` or `nan`. Returns false for other text.
bool parse_special(std::string_view text, double& value);
/// Returns the elements as bytes of the dtype. Refuses a count or kind of elements that does not fit the metadata.
std::vector<std::byte> parse_values(const JsonView& list, const TensorMeta& meta);
/// Returns the elements' bytes from hexadecimal digits in memory order.
std::vector<std::byte> parse_bytes(const JsonView& hex, const TensorMeta& meta);
/// Writes elements to their places in the tensor's layout. Elements are conjugated or negated if the tensor's conj or
/// neg bit is set, so that the tensor reads as `values`.
void write_values(std::span<const std::byte> values, const Tensor& to);
/// Returns a row-major tensor that reads as the recorded values, with the conj and neg bits of `like`, so its memory is
/// comparable with that of `like`. REQUIRES: recorded values, and the dtype and sizes of `like`.
Tensor recorded_values(const RecordedTensor& recorded, const TensorMeta& like);
/// Fills the storages without recorded values: as the op declares for missing inputs, else with random numbers.
/// Integers that the op uses as indices are valid ones. Equal seeds give equal values. A storage that tensors read as
/// two dtypes stays zero, which is valid in both. Returns false if every storage has recorded values or is empty.
/// `tensors` are the record's tensors on the CPU, and `args` are the complete arguments made of them.
bool fill_unrecorded(const CallRecord& record, std::span<const Tensor> tensors, const OpEntry& op,
                     std::span<const Value> args, uint64_t seed);

}  // namespace ersatz
