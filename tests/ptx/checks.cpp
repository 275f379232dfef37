#include "tests/ptx/checks.h"

#include <cstdlib>

#include "tests/ptx/thread.h"

namespace ersatz::ptx {

Checks::Checks() : unwritten(std::getenv("ERSATZ_PTX_UNWRITTEN")), races(std::getenv("ERSATZ_PTX_RACES")) {
  if (const char* seed = std::getenv("ERSATZ_PTX_ORDER")) order = std::strtoull(seed, nullptr, 10);
}

Checks& Checks::instance() {
  static auto* const checks = new Checks;  // never destroyed: the report is written at the end of the process
  return *checks;
}

void Checks::launch_begins() {
  if (races) global.launch();
}

void Checks::block_begins(uint32_t number) {
  if (!races) return;
  shared.barrier();  // forgets all uses of bytes
  global.block(number);
}

void Checks::barrier_passed() {
  if (!races) return;
  shared.barrier();
  global.barrier();
}

void Checks::note(const Thread& t, const Instruction& at, const std::string& what) {
  ++found[what + ", line " + std::to_string(at.line) + " of " + readable(t.function->name) + ", in " +
          readable(t.block->kernel->name)];
}

}  // namespace ersatz::ptx
