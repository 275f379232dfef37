// A fake kernel that is asked in the middle of a run may draw, switch and raise as it likes: the run goes on as if
// nobody had asked.
//
// All functions REQUIRE the GIL.
#pragma once

#include <cstdint>
#include <vector>

#include "python/module/module.h"

namespace ersatz::python {

/// While it lives no gradient is recorded. At its end grad mode, default dtype and the random states of Python and of
/// PyTorch's CPU are what they were. An exception of Python that is set then is kept.
class KeptRun {
 public:
  KeptRun();
  ~KeptRun();
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

 private:
  nb::object grad_, dtype_, drawn_;
  nb::object gauss_;             ///< the number that Python's generator has drawn and not handed out
  std::vector<uint32_t> words_;  ///< of its state; empty where they are not found, and then there is
  nb::object random_;            ///< the state as Python says it
};

}  // namespace ersatz::python
