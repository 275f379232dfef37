// Runs kernels, block by block and thread by thread, on the launching host thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

struct Shape {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// Runs a launch and returns when its last block has ended. `arguments`: an address for each parameter. Throws Fault,
/// and ParseError if an instruction of the kernel is unknown. Launches of several host threads run one after the other.
void launch(Function& kernel, Shape grid, Shape block, size_t dynamic_shared_bytes, void* const* arguments);

/// Returns how many instructions all launches of the process ran, including those that a guard disabled.
uint64_t instructions_run();

}  // namespace ersatz::ptx
