// Runs kernels, block by block and thread by thread, on the thread that launches them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

struct Shape {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// `arguments`: an address for each parameter. Returns when the last block has ended. Throws Fault, and ParseError
/// where an instruction of the kernel is not known. Launches of several host threads come one after the other.
void launch(Function& kernel, Shape grid, Shape block, size_t dynamic_shared_bytes, void* const* arguments);

/// How many instructions all launches of the process ran, those that a guard left out too.
uint64_t instructions_run();

}  // namespace ersatz::ptx
