// The modules of PTX that a program has registered, and its kernels by the addresses of their host functions.
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

  /// The handle that later calls name it by. The text is parsed when the first of its kernels is looked for.
  void** add_binary(const void* wrapper);
  void add_kernel(void** binary, const void* host_function, const char* name);
  /// Null: no kernel was registered with that host function, or there is no PTX of it.
  Function* find_kernel(const void* host_function);

  /// A line for each function, tabs between: `kernel` or `function`, module, name, launches, instructions, those that
  /// ran, how often they ran together. Instructions of what never ran are not counted. Then what the checks found.
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
