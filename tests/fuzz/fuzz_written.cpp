// libFuzzer: a loaded program is written as a .pt2 archive, which must load as an equal program, or the writer refuses
// it by name.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/pt2_round_trip_fuzz/written_program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  static const std::string file = "/tmp/fuzz_written." + std::to_string(getpid()) + ".pt2";
  const WrittenProgram found = write_and_load({reinterpret_cast<const char*>(data), size}, file);
  if (found.wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", found.wrong.c_str());
  std::abort();
}
