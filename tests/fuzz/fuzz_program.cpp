// libFuzzer: archives and graph JSON. Loading returns a program or raises an error of one line. A program is verified,
// and its text parses to an equal program. Its weights are read or refused.
#include <cstdint>
#include <cstdlib>

#include "runtime/base/error.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/facts.h"
#include "tracer/run/prepared.h"
#include "tracer/text/text_form.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Program p = load_program_bytes(bytes, "fuzz");
    const std::string text = print_program(p);
    const Program again = parse_program_text(text, "fuzz");
    if (!same_program(p, again)) std::abort();
    PreparedProgram prepared(p);
    if (p.weights.total_bytes() < (1 << 20)) {
      for (uint32_t i = 0; i < p.weights.tensors().size(); ++i) p.weights.tensor(i);
    }
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) std::abort();
  }
  try {
    Facts::parse(bytes, "fuzz");
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) std::abort();
  }
  try {
    InputsOutputs::parse(bytes, std::string(64, '\1'), "fuzz");
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) std::abort();
  }
  return 0;
}
