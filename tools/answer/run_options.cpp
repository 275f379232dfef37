#include "tools/answer/run_options.h"

#include <fmt/format.h>

#include "fake/mode/fallback_event.h"
#include "runtime/base/error.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz::tools {

Device device_option(const std::string& text) {
  std::optional<Device> device = parse_device(text);
  if (!device) fail_argument("--device {}: there are cpu, cuda, cuda:N and meta", text);
  return resolve(*device);
}

BackendRecord backend_option(const std::string& text, const std::optional<Device>& device) {
  if (text.empty()) return {};
  BackendRecord backend;
  try {
    backend = parse_backend(text);
  } catch (const Error& e) {
    fail_argument("--backend {}", e.message);
  }
  if (device && !device->is_cuda()) {
    fail_argument("--backend says which GPU is asked about, and --device {} is none: give --device cuda beside it",
                  to_string(*device));
  }
  return backend;
}

FallbackPolicy fallback_option(const std::string& text) {
  for (const FallbackPolicy policy : {FallbackPolicy::Rule, FallbackPolicy::Zeros, FallbackPolicy::Refuse}) {
    if (name(policy) == text) return policy;
  }
  fail_argument("--fallback: '{}' is none; there are rule, zeros and refuse", text);
}

const LoadedPlugin& load_plugin_aloud(const std::string& path) {
  const LoadedPlugin& plugin = load_plugin(path);
  for (const RefusedOp& op : plugin.refused) fmt::print(stderr, "ersatz: plugin {}: left out: {}\n", path, op.why);
  return plugin;
}

void load_plugins(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) load_plugin_aloud(path);
}

}  // namespace ersatz::tools
