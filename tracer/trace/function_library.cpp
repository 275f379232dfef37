#include "tracer/trace/function_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/op/literal.h"
#include "tracer/tensors/synthetic.h"

namespace ersatz {

void FunctionList::add(std::string name, TracedFunction function, std::string inputs) {
  if (name.empty()) fail_argument("a function without a name");
  const auto same = [&](const NamedFunction& f) { return f.name == name; };
  if (std::any_of(functions_.begin(), functions_.end(), same)) fail_argument("a second function is named {}", name);
  functions_.push_back({std::move(name), std::move(function), std::move(inputs)});
}

const NamedFunction& FunctionList::find(std::string_view name) const {
  std::string names;
  for (const NamedFunction& f : functions_) {
    if (f.name == name) return f;
    names += (names.empty() ? "" : ", ") + f.name;
  }
  fail_argument("no function is named {}; there are {}", name, names);
}

bool is_library(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return false;
  char head[4] = {};
  const size_t got = std::fread(head, 1, sizeof head, file);
  std::fclose(file);
  return got == sizeof head && std::memcmp(head,
                                           "\x7f"
                                           "ELF",
                                           sizeof head) == 0;
}

FunctionList load_functions(const std::string& path) {
  // Dlopen would search a name without a slash in the system's libraries, but here the name means a file in the working
  // directory.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    fail_argument("library {}: {}", path, why ? why : "it cannot be loaded");
  }
  const auto entry = reinterpret_cast<void (*)(FunctionList&)>(dlsym(handle, "ersatz_functions"));
  FunctionList list;
  if (entry) entry(list);
  if (list.functions().empty()) {
    fail_argument(
        "library {}: it names no functions to trace; ERSATZ_FUNCTIONS(list) {{ list.add(\"NAME\", function); }} does",
        path);
  }
  return list;
}

std::vector<Value> synthetic_arguments(std::string_view text, uint64_t seed) {
  int count = 0;
  LiteralOptions options;
  options.tensor = [&](const MetaText& m) {
    if (m.meta.is_symbolic()) fail_argument("an input's sizes are numbers: got {}", m.meta);
    Tensor t = make_real_tensor(m.meta);
    if (t.device().is_cpu()) fill_synthetic(t, fmt::format("arg{}", count++), seed, SyntheticRole::Input);
    return Value(t);
  };
  ParsedArguments parsed = parse_arguments(text, options);
  if (!parsed.keywords.empty())
    fail_argument("inputs are given in order, without names: got {}=", parsed.keywords[0].first);
  return std::move(parsed.positional);
}

}  // namespace ersatz
