// A library that ends the process that loads it: nothing but --plugin may do that.
#include <cstdlib>

namespace {
[[gnu::constructor]] void end_all() { std::abort(); }
}  // namespace

extern "C" int ersatz_plugin(const void*, unsigned) { return 0; }
