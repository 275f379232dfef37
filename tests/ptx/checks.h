// What the interpreter looks for beside faults, and what it found.
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

/// From the environment: ERSATZ_PTX_UNWRITTEN=1, ERSATZ_PTX_RACES=1, ERSATZ_PTX_ORDER=SEED.
struct Checks {
  static Checks& instance();

  bool unwritten = false;         ///< reads of device memory that nothing has written
  bool races = false;             ///< of shared memory within a block, of device memory within a launch
  std::optional<uint64_t> order;  ///< of blocks, and of threads in a block; without it from the first to the last

  // Used if `races`.
  SharedRaces shared{227 << 10};  ///< of the block that runs
  GlobalRaces global;             ///< of the launch that runs

  // What the machine tells of: nothing is done without `races`.
  void launch_begins();
  void block_begins(uint32_t number);
  void barrier_passed();

  void note(const Thread& thread, const Instruction& at, const std::string& what);
  std::map<std::string, uint64_t> found;  ///< how often, by text

 private:
  Checks();
};

}  // namespace ersatz::ptx
