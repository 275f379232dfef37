// A call stack, captured to say where an object was created.
//
// A capture walks the stack (about a microsecond). Function names are looked up by the first call of `text`.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "runtime/base/ref_count.h"

namespace ersatz {

class CallStack final : public RefCounted {
 public:
  /// The stack of the caller, without the `skip` innermost calls.
  static Ref<CallStack> capture(int skip = 0);

  /// One call a line, innermost first: `  at function (binary+0x12ab)`. Made once and kept. Any thread.
  const std::string& text() const;
  /// Whether the text has been made.
  bool formatted() const;

 private:
  std::vector<void*> addresses_;
  mutable std::mutex mutex_;
  mutable std::string text_;
};

}  // namespace ersatz
