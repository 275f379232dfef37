#include "tools/answer/run_options.h"

#include <fmt/format.h>

#include "fake/mode/fallback_event.h"
#include "runtime/base/error.h"
#include "runtime/base/other_devices.h"
#include "runtime/base/process_group.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz::tools {

std::optional<Device> device_option(const std::string& text) {
  if (const size_t equals = text.find('='); equals != text.npos) {
    const std::optional<Device> rules = parse_device(text.substr(equals + 1));
    if (!rules || !(*rules == kCPU || *rules == Device{DeviceType::CUDA, -1}))
      fail_argument("--device {}: the rules are those of cuda or of cpu", text);
    if (!set_device_rules(text.substr(0, equals), rules->type))
      fail_argument("--device {}: rules are chosen for {}", text, other_device_names());
    return std::nullopt;
  }
  std::optional<Device> device = parse_device(text);
  if (!device)
    fail_argument("--device {}: there are cpu, cuda, cuda:N, meta, and as devices of metadata {}", text,
                  other_device_names());
  return resolve(*device);
}

Device kernel_device_option(const std::string& text) {
  const std::optional<Device> device = device_option(text);
  if (!device || is_other(*device)) fail_argument("--device {}: no kernel runs there; there are cpu and cuda", text);
  return *device;
}

std::string other_devices_lines() {
  std::string lines;
  for (const OtherDevice& d : other_devices_seen()) {
    const std::string_view other = name(d.rules == DeviceType::CUDA ? DeviceType::CPU : DeviceType::CUDA);
    lines += fmt::format("{} is a device of metadata, answered by the rules of {}; --device {}={} takes those of {}\n",
                         d.name, name(d.rules), d.name, other, other);
  }
  return lines;
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
  if (to.device && is_other(*to.device) && !to.no_real)
    fail_argument("--device {}: no kernel runs there; give --no-real beside it", texts.device);
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
