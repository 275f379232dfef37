// Assertions of Inductor's generated code: the asserted layout, and the tensor's layout that the message reports.
#pragma once

#include <optional>

#include "tracer/messages/traceback.h"

namespace ersatz {

/// An assertion's call: `assert_size_stride(buf0, (4, 6), (6, 1), 'torch.ops.my.op.default')`,
/// `assert_tensor_metadata`, `assert_alignment`, or `assert_size_stride_grouped`, which names several buffers.
struct AssertCall {
  std::string function;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> sizes, strides;  ///< one list for each of `names`, of expressions: `(-3) + s77`
  std::string dtype;                                     ///< `torch.float32`; empty if it is not asserted
  std::optional<int64_t> alignment;                      ///< bytes
  std::string op;  ///< `my.op.default`, `input`, or empty in code of older PyTorch versions
};

/// Reads the call at the start of a line. Returns nullopt if there is none, or if the call does not end in this line.
std::optional<AssertCall> assert_call(std::string_view line);

/// `expected size 4==3, stride 6==6 at dim=0`: the tensor has size 4 and the code expected 3.
struct DimMismatch {
  int64_t dim = 0, size = 0, expected_size = 0, stride = 0, expected_stride = 0;
};

struct Assertion {
  std::string message;                 ///< the message's line without the exception's class
  std::string op;                      ///< as `AssertCall::op`
  std::vector<DimMismatch> dims;       ///< only dims that differ: the message leaves the others out
  std::optional<int64_t> rank;         ///< the tensor's number of dims, if another one was expected
  std::string dtype, expected_dtype;   ///< `torch.float64`
  std::optional<int64_t> alignment;    ///< expected, in bytes
  int64_t offset = 0, item_bytes = 0;  ///< storage offset and element size of the misaligned tensor
  std::optional<AssertCall> call;      ///< the call that raised, if the text has its line
  std::optional<Frame> frame;          ///< the frame of that line
  size_t at = 0;                       ///< index of the message's line in the text
};

/// Returns each assertion whose message the text has, once. `frames` are all frames of the text.
std::vector<Assertion> assertions_of(const std::vector<std::string>& lines, const std::vector<Frame>& frames);

/// Returns `my.op.default` for `torch.ops.my.op.default` and for `my::op.default`.
std::string plain_op_name(std::string_view name);

}  // namespace ersatz
