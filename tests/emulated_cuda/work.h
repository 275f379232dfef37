// One piece of a stream's work while it runs: device memory is open, and the blocks that the work uses are recorded.
//
//   Work work(device, "a matrix product");
//   work.reads(a); work.writes(c);
#pragma once

#include <vector>

#include "tests/emulated_cuda/allocation_ledger.h"
#include "tests/emulated_cuda/arena.h"

namespace ersatz::cuda_module::emulated {

class Work {
 public:
  /// Work on the device's current stream. `name`: words with a space, or a mangled type name; the text is never freed.
  Work(int device, const char* name);
  Work(StreamHandle stream, const char* name);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  /// Records the uses. A use that is not ordered after a conflicting earlier one ends the program.
  ~Work();

  /// Notes a use of the block at a device address. Null and pinned memory have no block. Any other address belongs to
  /// the host, which a GPU cannot reach: a fault.
  void reads(const void* address) { use(address, Kind::Reads); }
  void writes(const void* address) { use(address, Kind::Writes); }
  /// Does nothing for an address of the host.
  void reads_if_device(const void* address) {
    if (arena().holds(address)) reads(address);
  }
  void writes_if_device(const void* address) {
    if (arena().holds(address)) writes(address);
  }
  /// Notes a use of each block that a word of the functor points to. A word that looks like an address of the host is a
  /// fault. Padding must be zero. A block counts as written if its bytes differ after the work.
  void functor(const void* bytes, size_t nbytes);

 private:
  enum class Kind { Reads, Writes, Unknown };
  struct Use {
    SeenBlock block;
    Kind kind;
    uint64_t bytes_before;
  };
  void use(const void* address, Kind kind);

  const ArenaOpen open_;
  const char* name_;
  BegunWork begun_;
  std::vector<Use> uses_;
};

}  // namespace ersatz::cuda_module::emulated
