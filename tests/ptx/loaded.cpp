#include "tests/ptx/loaded.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/ptx/checks.h"
#include "tests/ptx/fat_binary.h"
#include "tests/ptx/parser.h"

namespace ersatz::ptx {

namespace {

/// Returns a hexadecimal digit for each four instructions: whether they ran, the first in the lowest bit.
template <class Code>
std::string which_ran(const Code& code) {
  std::string digits;
  for (size_t first = 0; first < code.size(); first += 4) {
    unsigned four = 0;
    for (size_t k = first; k < std::min(first + 4, code.size()); ++k) four |= unsigned{code[k].runs > 0} << (k - first);
    digits += "0123456789abcdef"[four];
  }
  return digits;
}

}  // namespace

Loaded& Loaded::instance() {
  static auto* const loaded = new Loaded;  // never destroyed: host objects unregister at the end of the process
  return *loaded;
}

void** Loaded::add_binary(const void* wrapper) {
  const std::lock_guard lock(mutex_);
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->wrapper = wrapper;
  return reinterpret_cast<void**>(binaries_.size());  // counts from 1, because null is no handle
}

void Loaded::add_kernel(void** binary, const void* host_function, const char* name) {
  const std::lock_guard lock(mutex_);
  kernels_[host_function] = {reinterpret_cast<size_t>(binary) - 1, name, nullptr};
}

void Loaded::parse(size_t index) {
  Binary& binary = *binaries_[index];
  if (binary.is_parsed) return;
  binary.is_parsed = true;
  for (std::string& text : ptx_of_fat_binary(binary.wrapper))
    binary.modules.push_back(parse_module("module " + std::to_string(index), std::move(text)));
}

Function* Loaded::find_kernel(const void* host_function) {
  const std::lock_guard lock(mutex_);
  const auto known = kernels_.find(host_function);
  if (known == kernels_.end()) return nullptr;
  Kernel& kernel = known->second;
  if (kernel.function) return kernel.function;
  parse(kernel.binary);
  for (const auto& m : binaries_[kernel.binary]->modules) {
    const auto f = m->functions.find(kernel.name);
    if (f != m->functions.end()) kernel.function = f->second.get();
  }
  return kernel.function;
}

void Loaded::write_report(const std::filesystem::path& folder) {
  const std::lock_guard lock(mutex_);
  std::filesystem::create_directories(folder);
  std::ofstream out(folder / (std::to_string(getpid()) + ".tsv"));
  for (size_t k = 0; k < binaries_.size(); ++k) {
    parse(k);
    for (const auto& m : binaries_[k]->modules) {
      for (const auto& [name, f] : m->functions) {
        uint64_t runs = 0;
        for (const Instruction& i : f->code) runs += i.runs;
        out << (f->is_kernel ? "kernel" : "function") << '\t' << k << '\t' << name << '\t' << f->launches << '\t'
            << f->code.size() << '\t' << runs << '\t' << which_ran(f->code) << '\n';
      }
    }
  }
  for (const auto& [what, times] : Checks::instance().found) out << "found\t" << times << '\t' << what << '\n';
}

}  // namespace ersatz::ptx
