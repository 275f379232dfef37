// The Python code that Inductor generated, as far as it says who makes each buffer and what is expected of it.
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

/// Sizes and strides as expressions, a dtype as `torch.float32`; empty where the code does not say.
struct LaidOut {
  std::vector<std::string> sizes, strides;
  std::string dtype, device;
};

struct MadeBuffer {
  enum class By {
    Input,     ///< of the compiled piece
    Operator,  ///< `torch.ops...`: laid out by a kernel
    Library,   ///< `extern_kernels...`: laid out by a kernel of a library that Inductor calls
    Inductor,  ///< allocated by the generated code: `empty_strided_cuda(...)`
    Other,
  };
  By by = By::Other;
  std::string op;                   ///< `my.op.default`, `extern_kernels.convolution`
  std::string arguments;            ///< of the call, as in the code
  std::optional<int64_t> result;    ///< which of the call's results; none: all of them, a tuple
  std::optional<LaidOut> laid_out;  ///< where the code says how
  size_t line = 0;                  ///< of the text, numbered from 0
};

/// An operator that is called for what it writes: `torch.ops.my.append_.default(arg0_1, arg1_1)`.
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
  std::vector<std::string> inputs;            ///< in their order
  std::map<std::string, MadeBuffer> buffers;  ///< the inputs too
  std::vector<WrittenBy> writes;
  std::vector<PlacedAssert> asserts;
  std::vector<std::string> returned;
  std::map<std::string, std::string> numbers;  ///< what a symbol was when it was compiled: s77 -> 11

  bool empty() const { return inputs.empty() && buffers.empty() && asserts.empty(); }
};

GeneratedCode generated_code_in(const std::vector<std::string>& lines);

}  // namespace ersatz
