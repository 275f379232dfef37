// libFuzzer: statements of generated code, in the body of a function. A broken statement must not change how others are
// read. The function becomes a program, which is verified, printed and parsed again.
#include <cstdint>
#include <cstdlib>

#include "runtime/base/error.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/run/prepared.h"
#include "tracer/text/text_form.h"

namespace {

/// A function `call` whose last statements are the fuzzed lines. The two statements before make buffers for them.
std::string function_of(std::string_view lines) {
  std::string text =
      "def call(args):\n    arg0_1, arg1_1, arg2_1 = args\n    args.clear()\n    s77 = arg2_1\n"
      "    buf0 = empty_strided_cpu((4, 6), (6, 1), torch.float32)\n    buf1 = buf0[1]\n    ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "    ";
  }
  return text +
         "\n    return (buf0, )\n\n\ndef get_args():\n"
         "    arg0_1 = rand_strided((4, 6), (6, 1), device='cpu', dtype=torch.float32)\n"
         "    arg1_1 = rand_strided((s77, 6), (6, 1), device='cpu', dtype=torch.float32)\n    arg2_1 = 11\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  const pasted::PastedText text(function_of({reinterpret_cast<const char*>(data), size}), "fuzz");
  for (size_t i = 0; i < text.graphs().size(); ++i) {
    try {
      const pasted::ReadGraph read = text.read(i);
      if (!same_program(read.program, parse_program_text(print_program(read.program), "fuzz"))) std::abort();
      const PreparedProgram prepared(read.program);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) std::abort();
    }
  }
  return 0;
}
