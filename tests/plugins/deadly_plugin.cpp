// A library that ends the process that loads it. It must be loaded only if the user names it with --plugin.
#include <cstdlib>

namespace {
[[gnu::constructor]] void end_all() { std::abort(); }
}  // namespace

extern "C" int ersatz_plugin(const void*, unsigned) { return 0; }
