// Functions of a shared library that can be traced by name.
//
//   #include <ersatz/trace.h>
//   ERSATZ_FUNCTIONS(list) {
//     list.add("mlp", mlp, "f32[4,8], f32[8,8]");
//   }
//
// The library links libersatz. Loading it runs its list once; it is never unloaded.
#pragma once

#include <string>
#include <vector>

#include "tracer/trace/trace.h"

namespace ersatz {

struct NamedFunction {
  std::string name;
  TracedFunction function;
  std::string inputs;  ///< what it is traced on unless told otherwise: `f32[4,8], i64[3], 2`; may be empty
};

class FunctionList {
 public:
  /// InvalidArgument for an empty name and for a second function of one name.
  void add(std::string name, TracedFunction function, std::string inputs = "");
  /// InvalidArgument, which lists those that there are, where there is none of that name.
  const NamedFunction& find(std::string_view name) const;
  const std::vector<NamedFunction>& functions() const { return functions_; }

 private:
  std::vector<NamedFunction> functions_;
};

/// Is the file a shared library, by its first bytes?
bool is_library(const std::string& path);
/// The functions of a library. InvalidArgument where it cannot be loaded or names none.
FunctionList load_functions(const std::string& path);

/// Arguments as they are written: `f32[4,8], i64[3], 2, [f32[2], f32[2]]`. Tensors are made up from the seed.
std::vector<Value> made_up_arguments(std::string_view text, uint64_t seed);

}  // namespace ersatz

/// What follows names the library's functions.
#define ERSATZ_FUNCTIONS(list)                                                                    \
  extern "C" __attribute__((visibility("default"))) void ersatz_functions(ersatz::FunctionList&); \
  void ersatz_functions(ersatz::FunctionList& list)
