// Restores the state of a run after a fake kernel was called in the middle of it. A fake kernel may draw random
// numbers, change modes and raise; the run goes on unchanged.
//
// All functions REQUIRE the GIL.
#pragma once

#include <cstdint>
#include <vector>

#include "python/module/module.h"

namespace ersatz::python {

/// Records no gradient while it lives. The destructor restores grad mode, the default dtype and the random states of
/// Python and of PyTorch's CPU generator. It keeps a Python exception that is set at that time.
class KeptRun {
 public:
  KeptRun();
  ~KeptRun();
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

 private:
  nb::object grad_, dtype_, drawn_;
  nb::object gauss_;             ///< gauss_next of Python's generator
  std::vector<uint32_t> words_;  ///< its state in memory; empty if that was not found
  nb::object random_;            ///< its state as getstate() returns it, if `words_` is empty
};

void bind_kept_run(nb::module_& m);

}  // namespace ersatz::python
