// Options of a run, as a command line or Python gives them: device, GPU model, plugins, process groups.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/context.h"
#include "runtime/op/device_layouts.h"
#include "runtime/op/op_entry.h"
#include "runtime/plugin/plugin.h"
#include "tools/program/run_options.h"
#include "tracer/records/device_records.h"

namespace ersatz::tools {

/// `--device`, parsed. `xpu=cpu`, `xpu=cuda` and `xpu=FILE` choose the rules for tensors on xpu
/// (runtime/base/other_devices.h). FILE also gives their layouts (device_records.h). `xpu:1=FILE` chooses the device
/// xpu:1 as well. An empty text chooses no device.
class DeviceChoice {
 public:
  /// Resets the metadata-only devices that were parsed or chosen before. RAISES InvalidArgument if `text` is no device.
  explicit DeviceChoice(const std::string& text);
  /// nullopt for `xpu=cpu`, `xpu=cuda` and `xpu=FILE`, which choose no device.
  const std::optional<Device>& device() const { return device_; }
  /// Report lines: which rules each parsed metadata-only device used.
  std::string lines() const;
  /// Adds the content of `lines` as `device_rules` and, with FILE, `device_layouts`.
  void add_to_json(nlohmann::ordered_json& report) const;
  /// The layouts of FILE; null without FILE.
  const DeviceLayouts* layouts() const { return layouts_ ? &*layouts_ : nullptr; }

 private:
  std::optional<Device> device_;
  std::optional<DeviceRecords> records_;
  std::optional<DeviceLayouts> layouts_;  ///< made from `records_`
};
/// `--device` of a command. While it exists, calls of this thread have the layouts of FILE.
class DeviceOption : public DeviceChoice {
 public:
  explicit DeviceOption(const std::string& text) : DeviceChoice(text) {
    if (layouts()) guard_.emplace(layouts());
  }

 private:
  std::optional<DeviceLayoutsGuard> guard_;
};
/// The lines on metadata-only devices for a report that DeviceChoice::add_to_json has added to.
std::string device_lines(const nlohmann::ordered_json& report);
/// `--device` of commands that run kernels. RAISES InvalidArgument for a metadata-only device too.
Device kernel_device_option(const std::string& text);
/// `--backend`, spelled as in runtime/op/recorded_layout.h. Unknown if `text` is empty. RAISES InvalidArgument if
/// `text` is no backend.
BackendRecord backend_option(const std::string& text);
/// `--backend` of a command that has `--device`. RAISES InvalidArgument for a backend without a CUDA device. If
/// `device` is empty, `recorded_on_gpu` says whether the program was recorded on a GPU.
BackendRecord backend_option(const std::string& text, const std::optional<Device>& device,
                             bool recorded_on_gpu = false);
/// Options of a run that are neither numbers nor switches, unparsed.
struct RunTexts {
  std::string device, backend, reference, torch;
};
/// Parses `texts` into `to`, whose `no_real` must be set before. A backend without a device is kept: the program may
/// have one. `device` is parsed from `texts.device`. RAISES InvalidArgument if a text is invalid or contradicts
/// another.
void read_run_texts(const RunTexts& texts, const DeviceChoice& device, RunOptions& to);
/// Help text of `--torch`.
inline constexpr char kTorchWords[] =
    "The version of PyTorch whose results are predicted, like 2.11 (2.9 to 2.15). Default: the version that the file "
    "names, else 2.15";
/// `--torch`; nullopt if `text` is empty. RAISES InvalidArgument for no version, or for one older than kOldestTorch.
std::optional<TorchVersion> torch_option(const std::string& text);
/// Help text of `--group`.
inline constexpr char kGroupWords[] =
    "A group of processes that collectives name, as NAME:SIZE:RANK or NAME:SIZE:RANK:BACKEND, like 0:2:1:gloo; once "
    "for each. Default: unknown, and the group_size of a call decides sizes";
/// While it exists, the process groups of `--group` are known. RAISES InvalidArgument for a malformed text.
class ToldGroups {
 public:
  explicit ToldGroups(const std::vector<std::string>& texts);

 private:
  ContextGuard guard_;
};
/// `--fallback`: rule, zeros or refuse. RAISES InvalidArgument for another text.
FallbackPolicy fallback_option(const std::string& text);
/// Loads a plugin, and lists on stderr the operators that were left out, with reasons.
const LoadedPlugin& load_plugin_aloud(const std::string& path);
/// Calls load_plugin_aloud for each path, in order.
void load_plugins(const std::vector<std::string>& paths);

}  // namespace ersatz::tools
