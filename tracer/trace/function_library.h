// Functions of a shared library that can be traced by name.
//
//   #include <ersatz/trace.h>
//   ERSATZ_FUNCTIONS(list) {
//     list.add("mlp", mlp, "f32[4,8], f32[8,8]");
//   }
//
// The library must link libersatz. Loading the library runs the block once. It is never unloaded.
#pragma once

#include <string>
#include <vector>

#include "tracer/trace/trace.h"

namespace ersatz {

struct NamedFunction {
  std::string name;
  TracedFunction function;
  std::string inputs;  ///< default arguments of a trace: `f32[4,8], i64[3], 2`; may be empty
};

class FunctionList {
 public:
  /// Adds a function. RAISES InvalidArgument if the name is empty or another function has it.
  void add(std::string name, TracedFunction function, std::string inputs = "");
  /// Returns the function with this name. RAISES InvalidArgument, with a list of the names, if there is none.
  const NamedFunction& find(std::string_view name) const;
  const std::vector<NamedFunction>& functions() const { return functions_; }

 private:
  std::vector<NamedFunction> functions_;
};

/// Returns whether the file begins like a shared library.
bool is_library(const std::string& path);
/// Loads a library and returns its functions. RAISES InvalidArgument if it cannot be loaded or has no functions.
FunctionList load_functions(const std::string& path);

/// Parses arguments like `f32[4,8], i64[3], 2, [f32[2], f32[2]]`. Tensors get synthetic values from the seed.
std::vector<Value> synthetic_arguments(std::string_view text, uint64_t seed);

}  // namespace ersatz

/// The block after this macro adds the library's functions to `list`.
#define ERSATZ_FUNCTIONS(list)                                                                    \
  extern "C" __attribute__((visibility("default"))) void ersatz_functions(ersatz::FunctionList&); \
  void ersatz_functions(ersatz::FunctionList& list)
