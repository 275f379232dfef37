#include "tools/answer/run_options.h"

#include <fmt/format.h>

#include "fake/mode/fallback_event.h"
#include "runtime/base/count_text.h"
#include "runtime/base/error.h"
#include "runtime/base/other_devices.h"
#include "runtime/base/process_group.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz::tools {

namespace {

/// Parses the name of a device, for example `xpu:1`. RAISES InvalidArgument, with `text` (the option's value) in the
/// message.
Device device_named(const std::string& name, const std::string& text) {
  const std::optional<Device> device = parse_device(name);
  if (!device)
    fail_argument("--device {}: there are cpu, cuda, cuda:N, meta, and as devices of metadata {}", text,
                  other_device_names());
  return resolve(*device);
}

/// An option's value `xpu=cpu` or `xpu:1=run.jsonl`, split at the `=`.
struct DeviceText {
  std::string name, rules;
  bool is_choice = false;  ///< the value has a `=`
};

DeviceText split(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return {text, "", false};
  return {text.substr(0, equals), text.substr(equals + 1), true};
}

DeviceRecords records_of(const std::string& name, const std::string& file, const std::string& text) try {
  return read_device_records(file, name);
} catch (const Error& e) {
  if (e.kind == ErrorKind::InternalError) throw;
  fail_argument("--device {}: the rules are those of cuda or of cpu, or FILE is one of calls recorded on {}: {}", text,
                name, e.message);
}

}  // namespace

DeviceChoice::DeviceChoice(const std::string& text) {
  reset_other_devices();
  const DeviceText given = split(text);
  if (!given.is_choice) {
    if (!text.empty()) device_ = device_named(text, text);
    return;
  }
  const size_t colon = given.name.find(':');
  const std::string name = given.name.substr(0, colon);
  const std::optional<Device> rules = parse_device(given.rules);
  const bool are_rules = rules == kCPU || rules == Device{DeviceType::CUDA, -1};
  if (!set_device_rules(name, are_rules ? rules->type : DeviceType::CUDA))
    fail_argument("--device {}: rules are chosen for {}", text, other_device_names());
  if (colon != name.npos) device_ = device_named(given.name, text);
  if (are_rules) return;
  records_ = records_of(name, given.rules, text);
  layouts_.emplace(name, std::move(records_->rows));
}

std::string DeviceChoice::lines() const {
  nlohmann::ordered_json report;
  add_to_json(report);
  return device_lines(report);
}

void DeviceChoice::add_to_json(nlohmann::ordered_json& report) const {
  for (const OtherDevice& d : other_devices_seen()) report["device_rules"][std::string(d.name)] = name(d.rules);
  if (!layouts_) return;
  const DeviceLayouts::Counts counts = layouts_->counts();
  report["device_layouts"] = {{"device", records_->device},         {"file", records_->file},
                              {"calls", records_->calls},           {"left_out", records_->left_out},
                              {"recorded", counts.recorded},        {"by_rules", counts.by_rules},
                              {"by_rules_ops", counts.by_rules_ops}};
}

namespace {

std::string recorded_lines(const nlohmann::ordered_json& layouts, const std::string& rules) {
  const auto number = [&](const char* key) { return layouts.at(key).get<int64_t>(); };
  const auto text = [&](const char* key) { return layouts.at(key).get<std::string>(); };
  const auto counts = [&](const char* key) { return layouts.at(key).get<std::map<std::string, int64_t>>(); };
  std::string ops;
  for (const auto& [op, n] : counts("by_rules_ops")) ops += fmt::format("{}{} {}", ops.empty() ? "" : ", ", op, n);
  std::string lines = fmt::format("{} is a device of metadata: new tensors have the strides recorded in {} in {} of {}",
                                  text("device"), text("file"), number("recorded"),
                                  count_of(number("recorded") + number("by_rules"), "different call"));
  lines += ops.empty() ? "\n" : fmt::format(", and those of the rules of {} in the others ({})\n", rules, ops);
  int64_t left_out = 0;
  std::string reasons;
  for (const auto& [why, n] : counts("left_out")) {
    left_out += n;
    reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : ", ", why, n);
  }
  if (left_out > 0) {
    lines += fmt::format("{}: {} of {} on {} not taken: {}; `ersatz crosscheck {}` judges them\n", text("file"),
                         left_out, count_of(number("calls"), "call"), text("device"), reasons, text("file"));
  }
  return lines;
}

}  // namespace

std::string device_lines(const nlohmann::ordered_json& report) {
  std::string lines;
  if (!report.contains("device_rules")) return lines;
  for (const auto& [device, of] : report.at("device_rules").items()) {
    const auto rules = of.get<std::string>();
    if (report.contains("device_layouts") && report.at("device_layouts").at("device") == device) {
      lines += recorded_lines(report.at("device_layouts"), rules);
      continue;
    }
    const std::string_view other = name(rules == name(DeviceType::CUDA) ? DeviceType::CPU : DeviceType::CUDA);
    lines += fmt::format(
        "{} is a device of metadata, answered by the rules of {}; --device {}={} takes those of {}, --device {}=FILE "
        "the strides of calls that were recorded there\n",
        device, rules, device, other, other, device);
  }
  return lines;
}

Device kernel_device_option(const std::string& text) {
  const DeviceText given = split(text);
  const std::optional<Device> device = given.is_choice ? std::nullopt : std::optional(device_named(text, text));
  if (!device || is_other(*device)) fail_argument("--device {}: no kernel runs there; there are cpu and cuda", text);
  return *device;
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

std::optional<TorchVersion> torch_option(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::optional<TorchVersion> version = torch_version(text);
  if (!version || *version < kOldestTorch || *version > TorchVersion()) {
    fail_argument("--torch: '{}' is no version whose answers are known; there are {} to {}", text,
                  to_string(kOldestTorch), to_string(TorchVersion()));
  }
  return version;
}

void read_run_texts(const RunTexts& texts, const DeviceChoice& device, RunOptions& to) {
  if (device.device()) to.device = device.device();
  to.torch = torch_option(texts.torch);
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
