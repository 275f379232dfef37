#include "tests/pt2_round_trip_fuzz/written_program.h"

#include "runtime/base/error.h"
#include "runtime/tensor/allocator.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/save_program.h"

namespace ersatz {

WrittenProgram write_and_load(const std::string& bytes, const std::string& file) {
  WrittenProgram found;
  const AllocationLimit limit(int64_t(1) << 24);
  std::string step = "loading";
  try {
    const Program p = load_program_bytes(bytes, file + ".source");
    step = "writing";
    found.end = WrittenProgram::End::NotWritten;
    found.json = print_pt2_json(p);
    save_program(file, p);
    step = "loading what was written";
    const Program again = load_program(file);
    step = "comparing";
    std::string why;
    if (!same_program(p, again, &why)) found.wrong = "comes back as another program: " + why;
    found.end = WrittenProgram::End::Same;
  } catch (const Error& e) {
    const bool refused =
        step == "loading" ? e.kind != ErrorKind::InternalError : step == "writing" && e.kind == ErrorKind::NotSupported;
    // If bytes are missing, or are too many for this test, the writer has no fault.
    const bool no_bytes = step == "writing" && e.kind != ErrorKind::InternalError && !found.json.empty();
    if (!refused && !no_bytes) found.wrong = step + ": " + e.message;
  }
  return found;
}

}  // namespace ersatz
