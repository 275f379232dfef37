// libFuzzer: pasted texts. Each graph is refused, or becomes a program, which is verified, printed and parsed again.
// The records of a log become facts.
#include <cstdint>
#include <cstdlib>

#include "runtime/base/error.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/run/prepared.h"
#include "tracer/text/text_form.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  const pasted::PastedText text(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  (void)text.facts();
  for (size_t i = 0; i < text.graphs().size(); ++i) {
    try {
      const Program p = text.read(i).program;
      if (!same_program(p, parse_program_text(print_program(p), "fuzz"))) std::abort();
      const PreparedProgram prepared(p);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) std::abort();
    }
  }
  return 0;
}
