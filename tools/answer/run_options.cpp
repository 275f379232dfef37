#include "tools/answer/run_options.h"

#include <fmt/format.h>

#include "fake/mode/fallback_event.h"
#include "runtime/base/error.h"
#include "runtime/base/process_group.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz::tools {

Device device_option(const std::string& text) {
  std::optional<Device> device = parse_device(text);
  if (!device) fail_argument("--device {}: there are cpu, cuda, cuda:N and meta", text);
  return resolve(*device);
}

BackendRecord backend_option(const std::string& text) {
  if (text.empty()) return {};
  try {
    return parse_backend(text);
  } catch (const Error& e) {
    fail_argument("--backend {}", e.message);
  }
}

BackendRecord backend_option(const std::string& text, const std::optional<Device>& device, bool recorded_on_gpu) {
  const BackendRecord backend = backend_option(text);
  if (text.empty()) return backend;
  if (device ? !device->is_cuda() : !recorded_on_gpu) {
    fail_argument("--backend says which GPU is asked about, and {}: give --device cuda beside it",
                  device ? fmt::format("--device {} is none", to_string(*device)) : "no --device is given");
  }
  return backend;
}

void read_run_texts(const RunTexts& texts, RunOptions& to) {
  if (!texts.device.empty()) to.device = device_option(texts.device);
  if (!texts.backend.empty() && !to.no_real) {
    fail_argument(
        "--backend is for predictions: give --no-real beside it; a run on a GPU asks the GPU itself what it is");
  }
  to.backend = backend_option(texts.backend, to.device, true);
  if (texts.reference.empty()) return;
  if (texts.reference != "f64") fail_argument("--reference: '{}' is none; there is f64", texts.reference);
  if (!to.device || !to.device->is_cuda() || to.no_real) {
    fail_argument("--reference f64 is for runs on another device: --device cuda");
  }
  to.reference_f64 = true;
}

namespace {

const ProcessGroups* groups_option(const std::vector<std::string>& texts) {
  if (texts.empty()) return rule_context().groups;
  std::vector<ProcessGroup> groups;
  try {
    for (const std::string& text : texts) groups.push_back(parse_process_group(text));
    return ProcessGroups::of(std::move(groups));
  } catch (const Error& e) {
    fail_argument("--group: {}", e.message);
  }
}

}  // namespace

ToldGroups::ToldGroups(const std::vector<std::string>& texts)
    : guard_([&](RuleContext& c) { c.groups = groups_option(texts); }) {}

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
