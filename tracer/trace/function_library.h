// Functions of a shared library that can be traced by name.
//
//   #include <ersatz/trace.h>
//   ERSATZ_FUNCTIONS(list) {
//     list.add("mlp", mlp, "f32[4,8], f32[8,8]");
//   }
//
// The library links libersatz. Loading it runs its list once. It is never unloaded.
#pragma once

#include <string>
#include <vector>

#include "tracer/trace/trace.h"

namespace ersatz {

struct NamedFunction {
  std::string name;
  TracedFunction function;
  std::string inputs;  ///< default inputs of a trace, `f32[4,8], i64[3], 2`; may be empty
};

class FunctionList {
 public:
  /// Raises InvalidArgument for an empty name and for a second function of one name.
  void add(std::string name, TracedFunction function, std::string inputs = "");
  /// Raises InvalidArgument with the list of names if there is no function of that name.
  const NamedFunction& find(std::string_view name) const;
  const std::vector<NamedFunction>& functions() const { return functions_; }

 private:
  std::vector<NamedFunction> functions_;
};

/// Returns whether the file's first bytes are those of a shared library.
bool is_library(const std::string& path);
/// Returns the library's functions. Raises InvalidArgument if it cannot be loaded or names no function.
FunctionList load_functions(const std::string& path);

/// Parses arguments, `f32[4,8], i64[3], 2, [f32[2], f32[2]]`. Tensors get synthetic values from the seed.
std::vector<Value> synthetic_arguments(std::string_view text, uint64_t seed);

}  // namespace ersatz

/// The block after this macro fills the library's `list` of functions.
#define ERSATZ_FUNCTIONS(list)                                                                    \
  extern "C" __attribute__((visibility("default"))) void ersatz_functions(ersatz::FunctionList&); \
  void ersatz_functions(ersatz::FunctionList& list)
