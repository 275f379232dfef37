// Restores the state of a run after a fake kernel was called in the middle of it. A fake kernel may draw random
// numbers, change modes or raise, and the run must go on as if it had not been called.
//
// All functions REQUIRE the GIL.
#pragma once

#include <cstdint>
#include <vector>

#include "python/module/module.h"

namespace ersatz::python {

/// While it exists, no gradient is recorded. The destructor restores grad mode, the default dtype, and the random
/// states of Python and of PyTorch's CPU generator. If a Python exception is set then, it stays set.
class KeptRun {
 public:
  KeptRun();
  ~KeptRun();
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

 private:
  nb::object grad_, dtype_, drawn_;
  nb::object gauss_;             ///< gauss_next of the generator in Python's module `random`
  std::vector<uint32_t> words_;  ///< state of that generator in memory; empty if its address was not found
  nb::object random_;            ///< state of that generator as getstate() returns it, if `words_` is empty
};

void bind_kept_run(nb::module_& m);

}  // namespace ersatz::python
