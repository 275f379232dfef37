// A call stack, captured to say where an object was created.
//
// `capture` takes about a microsecond. The first call of `text` looks up the names of the functions.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "runtime/base/ref_count.h"

namespace ersatz {

class CallStack final : public RefCounted {
 public:
  /// Returns the call stack of the caller, without its `skip` innermost calls.
  static Ref<CallStack> capture(int skip = 0);

  /// Returns the stack as text, one call a line, innermost first: `  at function (binary+0x12ab)`. The first call
  /// stores the text for later calls. Any thread may call it.
  const std::string& text() const;
  /// Returns whether `text` has been called.
  bool formatted() const;

 private:
  std::vector<void*> addresses_;
  mutable std::mutex mutex_;
  mutable std::string text_;
};

}  // namespace ersatz
