// Loads CUDA's libraries (cuBLASLt, cuDNN) when they are first needed, and lends their contexts to threads.
//
// libersatz_cuda.so does not link these libraries. It can be loaded on a machine with only a driver, and an op that
// needs a library says which one is missing. Only *_cuda.cpp files of this folder include this header.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {

/// A shared library, opened once and never closed.
class SharedLibrary {
 public:
  /// Opens `file` from the loader's path, then from CUDA's usual folder. Raises NotSupported if it is missing; the
  /// message begins with `needed_for` ("matrix products on CUDA") and says to install `provider`.
  SharedLibrary(std::string file, std::string_view needed_for, std::string_view provider);

  template <class Function>
  Function* symbol(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  void* address(const char* name) const;
  std::string file_;
  void* handle_ = nullptr;
};

/// Returns the library's choice for the problem `key`. `ask()` makes the choice the first time; each thread stores its
/// own choices.
template <class Choice, class Key, class Ask>
const Choice& remembered(const Key& key, Ask ask) {
  constexpr size_t kMostRemembered = 4096;
  thread_local std::map<Key, Choice> t_choices;
  if (auto it = t_choices.find(key); it != t_choices.end()) return it->second;
  const Choice found = ask();
  if (t_choices.size() >= kMostRemembered) t_choices.clear();
  return t_choices.emplace(key, found).first->second;
}

/// Contexts of a library. Each thread takes one for each device when it first needs it, and gives it back for later
/// threads when it ends. Contexts are never destroyed, because the driver may end before this library does.
template <class Handle>
class HandlePool {
 public:
  /// Returns this thread's context on `device`. `create` makes a new one on the current device, and raises an error if
  /// it cannot.
  template <class Create>
  static Handle of_thread(int device, Create create) {
    Handle& lent = t_lent.handles[static_cast<size_t>(device)];
    if (!lent) lent = take(device);
    if (!lent) {
      DeviceScope scope(device);
      lent = create();
    }
    return lent;
  }

 private:
  struct Idle {
    std::mutex mutex;
    std::array<std::vector<Handle>, kMaxDevices> handles;
  };
  struct Lent {
    std::array<Handle, kMaxDevices> handles{};
    ~Lent() {
      Idle& all = idle();
      std::lock_guard lock(all.mutex);
      for (size_t d = 0; d < handles.size(); ++d) {
        if (handles[d]) all.handles[d].push_back(handles[d]);
      }
    }
  };

  static Idle& idle() {
    static auto* all = new Idle;
    return *all;
  }
  static Handle take(int device) {
    Idle& all = idle();
    std::lock_guard lock(all.mutex);
    auto& free = all.handles[static_cast<size_t>(device)];
    if (free.empty()) return nullptr;
    Handle handle = free.back();
    free.pop_back();
    return handle;
  }
  static inline thread_local Lent t_lent;
};

}  // namespace ersatz::cuda_module
