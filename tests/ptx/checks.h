// Optional checks of the interpreter and their findings. Faults are always checked, and are not among these checks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/ptx/global_races.h"
#include "tests/ptx/shared_races.h"

namespace ersatz::ptx {

struct Thread;
struct Instruction;

/// The checks that environment variables enable: ERSATZ_PTX_UNWRITTEN=1, ERSATZ_PTX_RACES=1, ERSATZ_PTX_ORDER=SEED.
struct Checks {
  static Checks& instance();

  bool unwritten = false;         ///< check for reads of device memory that was never written
  bool races = false;             ///< check for races: in shared memory within a block, in device memory within a
                                  ///< launch
  std::optional<uint64_t> order;  ///< seed of the order of blocks and of threads in a block; empty: by index

  // Used if `races`.
  SharedRaces shared{227 << 10};  ///< races in the running block
  GlobalRaces global;             ///< races in the running launch

  // The interpreter's machine calls these functions. Without `races` they do nothing.
  void launch_begins();
  void block_begins(uint32_t number);
  void barrier_passed();

  void note(const Thread& thread, const Instruction& at, const std::string& what);
  std::map<std::string, uint64_t> found;  ///< number of findings, by text

 private:
  Checks();
};

}  // namespace ersatz::ptx
