// The PTX modules that a program has registered, and its kernels by the addresses of their host functions.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

class Loaded {
 public:
  static Loaded& instance();

  /// Returns the binary's handle for later calls. Its text is parsed when one of its kernels is first looked up.
  void** add_binary(const void* wrapper);
  void add_kernel(void** binary, const void* host_function, const char* name);
  /// Returns null if no kernel was registered with that host function, or if it has no PTX.
  Function* find_kernel(const void* host_function);

  /// Writes one line per function, with tabs between: `kernel` or `function`, module, name, launches, instructions,
  /// executions in all, and which instructions were executed: a hexadecimal digit for each four, the first in the
  /// lowest bit. For functions that never ran, instructions are not counted. The findings of the checks follow.
  void write_report(const std::filesystem::path& folder);

 private:
  struct Binary {
    const void* wrapper = nullptr;
    std::vector<std::unique_ptr<Module>> modules;
    bool is_parsed = false;
  };
  struct Kernel {
    size_t binary;
    std::string name;
    Function* function = nullptr;
  };
  void parse(size_t binary);

  std::vector<std::unique_ptr<Binary>> binaries_;
  std::unordered_map<const void*, Kernel> kernels_;
  std::recursive_mutex mutex_;
};

}  // namespace ersatz::ptx
