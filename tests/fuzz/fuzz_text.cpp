// libFuzzer: the text form. Parsing raises an error of one line, or returns a program, whose
// printed text parses to the same program.
#include <cstdint>
#include <cstdlib>

#include "runtime/base/error.h"
#include "tracer/program/verify.h"
#include "tracer/run/prepared.h"
#include "tracer/text/text_form.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  try {
    const Program p = parse_program_text({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string text = print_program(p);
    std::string why;
    const Program again = parse_program_text(text, "fuzz");
    if (!same_program(p, again, &why) || print_program(again) != text) std::abort();
    if (find_faults(p).empty()) PreparedProgram prepared(p);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) std::abort();
  }
  return 0;
}
