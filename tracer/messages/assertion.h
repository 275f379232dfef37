// Assertions of Inductor's generated code: the asserted layout, and the tensor's layout that the message reports.
#pragma once

#include <optional>

#include "tracer/messages/traceback.h"

namespace ersatz {

/// The call of an assertion: `assert_size_stride(buf0, (4, 6), (6, 1), 'torch.ops.my.op.default')`,
/// `assert_tensor_metadata`, `assert_alignment`, or `assert_size_stride_grouped`, which has several buffers.
struct AssertCall {
  std::string function;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> sizes, strides;  ///< for each of `names`, one list of expressions: `(-3) + s77`
  /// For example `torch.float32`; empty if the dtype is not asserted.
  std::string dtype;
  std::optional<int64_t> alignment;  ///< asserted alignment in bytes
  /// The operator that made the tensor: `my.op.default`, or `input` for a graph input. Empty in code of older PyTorch
  /// versions.
  std::string op;
};

/// Parses the call at the start of a line. nullopt if there is none, or if the call does not end in this line.
std::optional<AssertCall> assert_call(std::string_view line);

/// One dim of the message. `expected size 4==3, stride 6==6 at dim=0` means: the tensor has size 4 and the code
/// expected 3.
struct DimMismatch {
  int64_t dim = 0, size = 0, expected_size = 0, stride = 0, expected_stride = 0;
};

struct Assertion {
  std::string message;                 ///< the line of the message, without the exception's class
  std::string op;                      ///< the operator that made the tensor, as in `AssertCall::op`
  std::vector<DimMismatch> dims;       ///< only dims that differ, because the message leaves out the others
  std::optional<int64_t> rank;         ///< number of dims of the tensor, if the code expected another number
  std::string dtype, expected_dtype;   ///< for example `torch.float64`
  std::optional<int64_t> alignment;    ///< expected alignment in bytes
  int64_t offset = 0, item_bytes = 0;  ///< storage offset and element size of the misaligned tensor
  std::optional<AssertCall> call;      ///< the call that raised, if the text has its line
  std::optional<Frame> frame;          ///< the frame of the line that raised
  size_t at = 0;                       ///< index of the message's line in the text
};

/// Returns the assertions whose messages are in the text, each once. `frames` are all frames of the text.
std::vector<Assertion> assertions_of(const std::vector<std::string>& lines, const std::vector<Frame>& frames);

/// Returns `my.op.default` for `torch.ops.my.op.default` and for `my::op.default`.
std::string plain_op_name(std::string_view name);

}  // namespace ersatz
