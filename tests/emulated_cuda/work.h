// One piece of a stream's work while it runs: device memory is open, and what the work touches is booked.
//
//   Work work(device, "a matrix product");
//   work.reads(a); work.writes(c);
#pragma once

#include <vector>

#include "tests/emulated_cuda/arena.h"
#include "tests/emulated_cuda/books.h"

namespace ersatz::cuda_module::emulated {

class Work {
 public:
  /// On the device's current stream. `name`: words with a space, or a mangled type name; both live for ever.
  Work(int device, const char* name);
  Work(StreamHandle stream, const char* name);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  /// Books the uses; a use that nothing orders behind an earlier one ends the program.
  ~Work();

  /// The block behind an address of the device; null and pinned memory have none. Anything else is the host's, which
  /// a GPU cannot reach: a fault.
  void reads(const void* address) { use(address, Kind::Reads); }
  void writes(const void* address) { use(address, Kind::Writes); }
  /// The same for an address that may be the host's.
  void reads_if_device(const void* address) {
    if (arena().holds(address)) reads(address);
  }
  void writes_if_device(const void* address) {
    if (arena().holds(address)) writes(address);
  }
  /// What looks like a pointer among the words of a functor, whose padding is zero. Whether a block is written is
  /// seen by its bytes before and after.
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
