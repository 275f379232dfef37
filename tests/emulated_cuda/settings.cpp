#include "tests/emulated_cuda/settings.h"

#include <algorithm>
#include <cstdlib>

namespace ersatz::cuda_module::emulated {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr int kThreads = 2;
#else
constexpr int kThreads = 1;
#endif

std::optional<uint64_t> number(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

}  // namespace

Settings& settings() {
  static Settings s{
      number("ERSATZ_EMULATED_BYTES").value_or(uint64_t(8) << 30), number("ERSATZ_EMULATED_ORDER"),
      static_cast<int>(std::clamp<uint64_t>(number("ERSATZ_EMULATED_THREADS").value_or(kThreads), 1, 64))};
  return s;
}

}  // namespace ersatz::cuda_module::emulated
