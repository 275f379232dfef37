// Assertions of generated code: what was asserted, and what the text says was there instead.
#pragma once

#include <optional>

#include "tracer/messages/traceback.h"

namespace ersatz {

/// `assert_size_stride(buf0, (4, 6), (6, 1), 'torch.ops.my.op.default')` and its kin. A grouped one has several names.
struct AssertCall {
  std::string function;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> sizes, strides;  ///< of each name, as expressions: `(-3) + s77`
  std::string dtype;                                     ///< `torch.float32`; empty where it is not asserted
  std::optional<int64_t> alignment;                      ///< bytes
  std::string op;                                        ///< `my.op.default`, `input`, or empty: older versions
};

/// The call that a line begins with. None where it begins with none, or the call does not end in this line.
std::optional<AssertCall> assert_call(std::string_view line);

/// `expected size 4==3, stride 6==6 at dim=0`: the tensor had 4, and 3 was expected.
struct DimMismatch {
  int64_t dim = 0, size = 0, expected_size = 0, stride = 0, expected_stride = 0;
};

struct Assertion {
  std::string message;                 ///< its line, without the exception's class
  std::string op;                      ///< as in AssertCall
  std::vector<DimMismatch> dims;       ///< dims that agree are left out of the text
  std::optional<int64_t> rank;         ///< of the tensor, where another one was expected
  std::string dtype, expected_dtype;   ///< `torch.float64`
  std::optional<int64_t> alignment;    ///< expected, in bytes
  int64_t offset = 0, item_bytes = 0;  ///< of a tensor that is not aligned
  std::optional<AssertCall> call;      ///< where the text has the line that raised
  std::optional<Frame> frame;          ///< of that line
  size_t at = 0;                       ///< which line of the text has the message
};

/// Those whose message the text has, each once. `frames` are those of the text.
std::vector<Assertion> assertions_of(const std::vector<std::string>& lines, const std::vector<Frame>& frames);

/// `my.op.default` of `torch.ops.my.op.default` and of `my::op.default`.
std::string plain_op_name(std::string_view name);

}  // namespace ersatz
