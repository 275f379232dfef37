#include "tests/cuda/ptx_operators.h"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "runtime/tensor/cuda_module.h"

namespace ersatz {
namespace {

using InstructionsRun = uint64_t();

/// The PTX device's counter, or null.
InstructionsRun* counter() {
  cuda_functions();  // loads the module
  const char* const module = std::getenv("ERSATZ_CUDA_MODULE");
  void* const loaded = module ? dlopen(module, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  return loaded ? reinterpret_cast<InstructionsRun*>(dlsym(loaded, "ersatz_ptx_instructions_run")) : nullptr;
}

std::set<std::string>& agreed() {
  static std::set<std::string> names;
  return names;
}

}  // namespace

std::optional<uint64_t> ptx_instructions_run() {
  static InstructionsRun* const run = counter();
  if (!run) return std::nullopt;
  return run();
}

void note_agreement_on_ptx(const OpEntry& op) { agreed().insert(op.functional ? op.functional->name : op.name); }

void write_ptx_operators() {
  const char* const path = std::getenv("ERSATZ_PTX_OPERATORS");
  if (!path) return;
  std::ofstream out(path);
  out << "op\n";
  for (const std::string& name : agreed()) out << name << '\n';
}

}  // namespace ersatz
