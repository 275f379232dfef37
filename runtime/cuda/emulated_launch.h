// Launches on the emulated device, for functors of any type (runtime/cuda/launch.h). The addresses in a functor are
// checked, and device memory is accessible only while a functor runs. tests/emulated_cuda/settings.h sets the order of
// a functor's calls, and the number of threads that make them.
//
// The functions are defined in tests/emulated_cuda/, because only the module for tests is compiled without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>

#include "runtime/cuda/emulated_team.h"

namespace ersatz::cuda_module::emulated {

struct Functor {
  const void* address;
  const void*
      cleared;  ///< a copy with zeroed padding, so that no word has stray bytes; null: the compiler cannot clear
                ///< padding
  size_t nbytes;
  const char* name;  ///< mangled name of the functor's type
};

/// Copies of a functor, for one launch. `cleared` is a union because g++ 12 clears padding at a wrong offset without
/// one: it places members that follow a long array of structs at the array's beginning.
template <class Body>
struct FunctorCopies {
  union Clearable {
    Body body;
    explicit Clearable(const Body& b) : body(b) {}
  };
  Body body;
  Clearable cleared;
  bool is_cleared = false;

  explicit FunctorCopies(const Body& functor) : body(functor), cleared(functor) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&cleared);
    is_cleared = true;
#endif
#endif
  }
  Functor functor() const { return {&body, is_cleared ? &cleared : nullptr, sizeof body, typeid(Body).name()}; }
};

/// Calls run(functor, begin, end) for ranges that together are [0, n).
void launch_each(int device, const Functor& functor, int64_t n,
                 void (*run)(const void* functor, int64_t begin, int64_t end));
/// Calls run(functor, team) on each thread of each block.
void launch_blocks(int device, const Functor& functor, int64_t blocks, int threads, size_t shared_bytes,
                   void (*run)(const void* functor, Team& team));

}  // namespace ersatz::cuda_module::emulated
