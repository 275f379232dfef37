// Values in recorded calls: `"v":[1.5,"nan",[0,-1]]`, in row-major order, after conj and neg are applied.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class JsonView;
struct CallRecord;
struct RecordedTensor;

/// Parses `inf`, `-inf` or `nan`. Returns false for any other text.
bool parse_special(std::string_view text, double& value);
/// Returns the elements as bytes of the dtype. RAISES InvalidArgument if their number or kind does not fit the
/// metadata.
std::vector<std::byte> parse_values(const JsonView& list, const TensorMeta& meta);
/// Returns the bytes of the elements from hexadecimal digits in memory order.
std::vector<std::byte> parse_bytes(const JsonView& hex, const TensorMeta& meta);
/// Writes elements to their places in the layout of `to`. If `to` has its conj or neg bit set, elements are conjugated
/// or negated first, so that the tensor's values are `values`.
void write_values(std::span<const std::byte> values, const Tensor& to);
/// Returns a row-major tensor with the recorded values and with the conj and neg bits of `like`, so that its memory can
/// be compared with that of `like`. REQUIRES: values are recorded, and have the dtype and sizes of `like`.
Tensor recorded_values(const RecordedTensor& recorded, const TensorMeta& like);
/// Fills the storages for which no values are recorded: with the values that the op declares for missing inputs, else
/// with random numbers. Integers that the op uses as indices get valid ones. Equal seeds give equal values. If tensors
/// read a storage as two dtypes, it stays zero, which is valid in both. Returns false if every storage has recorded
/// values or is empty. `tensors` are the record's tensors on the CPU, and `args` are all arguments made of them.
bool fill_unrecorded(const CallRecord& record, std::span<const Tensor> tensors, const OpEntry& op,
                     std::span<const Value> args, uint64_t seed);

}  // namespace ersatz
