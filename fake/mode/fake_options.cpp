#include "fake/mode/fake_options.h"

#include <cstdlib>
#include <string_view>

namespace ersatz {
namespace {

FakeDefaults defaults_of_process() {
  FakeDefaults d;
  const char* stacks = std::getenv("ERSATZ_FAKE_STACKS");
  d.keep_stacks = stacks && std::string_view(stacks) == "1";
  const char* real = std::getenv("ERSATZ_PROPAGATE_REAL");
  d.propagate_real = real && std::string_view(real) == "1";
  return d;
}

FakeDefaults& thread_defaults() {
  static thread_local FakeDefaults defaults = defaults_of_process();
  return defaults;
}

}  // namespace

const FakeDefaults& fake_defaults() { return thread_defaults(); }
void FakeDefaultsGuard::set(const FakeDefaults& d) { thread_defaults() = d; }

}  // namespace ersatz
