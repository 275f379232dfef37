// Reads Inductor's generated Python code: the call that makes each buffer, and the layout that assertions expect of it.
//
//   buf1 = torch.ops.my.op.default(buf0)
//   buf2 = buf1[1]
//   buf3 = empty_strided_cpu((4, 6), (6, 1), torch.float32)
//   extern_kernels.mm(buf4, buf2, out=buf5)
//   reinterpret_tensor(buf8, (8, 4), (1, 8), 0)
//   buf6 = buf2; del buf2  # reuse
#pragma once

#include <map>
#include <optional>

#include "tracer/messages/assertion.h"

namespace ersatz {

/// Sizes and strides as expressions, and a dtype like `torch.float32`. A field that the code does not give is empty.
struct LaidOut {
  std::vector<std::string> sizes, strides;
  std::string dtype, device;
};

struct MadeBuffer {
  enum class By {
    Input,     ///< an input of the compiled graph
    Operator,  ///< made by `torch.ops...`: the operator's kernel decides the layout
    Library,   ///< made by `extern_kernels...`: a kernel of a library decides the layout
    Inductor,  ///< allocated by the generated code, for example with `empty_strided_cuda(...)`
    Other,
  };
  By by = By::Other;
  std::string op;         ///< for example `my.op.default`, `extern_kernels.convolution`
  std::string arguments;  ///< the text between the call's brackets
  /// Index of the buffer among the call's results; nullopt: the whole tuple of results.
  std::optional<int64_t> result;
  std::optional<LaidOut> laid_out;  ///< set if the code gives the layout
  size_t line = 0;                  ///< index of the line in the text, from 0
};

/// A call that is made only because the operator writes to its arguments, so its result is not assigned:
/// `torch.ops.my.append_.default(arg0_1, arg1_1)`.
struct WrittenBy {
  std::string op;
  std::vector<std::string> arguments;
  size_t line = 0;
};

struct PlacedAssert {
  AssertCall call;
  size_t line = 0;
};

struct GeneratedCode {
  std::vector<std::string> inputs;            ///< inputs in the order of `args`
  std::map<std::string, MadeBuffer> buffers;  ///< by name, inputs included
  std::vector<WrittenBy> writes;
  std::vector<PlacedAssert> asserts;
  std::vector<std::string> returned;
  std::map<std::string, std::string> numbers;  ///< symbol -> its example value, for example s77 -> 11

  bool empty() const { return inputs.empty() && buffers.empty() && asserts.empty(); }
};

GeneratedCode generated_code_in(const std::vector<std::string>& lines);

}  // namespace ersatz
