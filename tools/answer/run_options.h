// Options of a run, parsed from strings of the command line or of Python: device, GPU model, plugins, process groups.
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

/// The parsed `--device`. `xpu=cpu` and `xpu=cuda` choose whose rules predict tensors on xpu
/// (runtime/base/other_devices.h). `xpu=FILE` chooses CUDA's rules, with the layouts of the calls recorded in FILE
/// (device_records.h). `xpu:1=FILE` also selects xpu:1 as the device of the run. An empty text selects no device.
class DeviceChoice {
 public:
  /// Resets the metadata-only devices that were parsed or chosen before. RAISES InvalidArgument if `text` names no
  /// device.
  explicit DeviceChoice(const std::string& text);
  /// The device of the run. nullopt for `xpu=cpu`, `xpu=cuda` and `xpu=FILE`, which only choose rules.
  const std::optional<Device>& device() const { return device_; }
  /// Report lines that say, for each metadata-only device, whose rules predicted it.
  std::string lines() const;
  /// Adds the facts of `lines` to the JSON: `device_rules` and, if FILE was given, `device_layouts`.
  void add_to_json(nlohmann::ordered_json& report) const;
  /// The layouts that FILE contains; null if no FILE was given.
  const DeviceLayouts* layouts() const { return layouts_ ? &*layouts_ : nullptr; }

 private:
  std::optional<Device> device_;
  std::optional<DeviceRecords> records_;
  std::optional<DeviceLayouts> layouts_;  ///< made from `records_`
};
/// The parsed `--device` of a command. While the object exists, operator calls of this thread get the layouts of its
/// FILE.
class DeviceOption : public DeviceChoice {
 public:
  explicit DeviceOption(const std::string& text) : DeviceChoice(text) {
    if (layouts()) guard_.emplace(layouts());
  }

 private:
  std::optional<DeviceLayoutsGuard> guard_;
};
/// Returns the lines of DeviceChoice::lines, made from JSON that DeviceChoice::add_to_json filled.
std::string device_lines(const nlohmann::ordered_json& report);
/// Parses the `--device` of a command that runs kernels. RAISES InvalidArgument for a metadata-only device too.
Device kernel_device_option(const std::string& text);
/// Parses `--backend`, in the spelling of runtime/op/recorded_layout.h. An empty `text` gives the unknown backend.
/// RAISES InvalidArgument if `text` names no backend.
BackendRecord backend_option(const std::string& text);
/// Parses the `--backend` of a command that has `--device`. RAISES InvalidArgument if a backend is given and the run is
/// not on CUDA. If `device` is empty, the run is on CUDA if the program was recorded on a GPU (`recorded_on_gpu`).
BackendRecord backend_option(const std::string& text, const std::optional<Device>& device,
                             bool recorded_on_gpu = false);
/// The string options of a run, before they are parsed.
struct RunTexts {
  std::string device, backend, reference, torch;
};
/// Parses `texts` into `to`. REQUIRES: `to.no_real` is set, and `device` was parsed from `texts.device`. A backend is
/// accepted even if no device is given, because the program may name a device. RAISES InvalidArgument if a text is
/// invalid or contradicts another text.
void read_run_texts(const RunTexts& texts, const DeviceChoice& device, RunOptions& to);
/// Help text of `--torch`.
inline constexpr char kTorchWords[] =
    "The version of PyTorch whose results are predicted, like 2.11 (2.9 to 2.15). Default: the version that the file "
    "names, else 2.15";
/// Parses `--torch`; nullopt if `text` is empty. RAISES InvalidArgument if `text` is no version or is older than
/// kOldestTorch.
std::optional<TorchVersion> torch_option(const std::string& text);
/// Help text of `--group`.
inline constexpr char kGroupWords[] =
    "A group of processes that collectives name, as NAME:SIZE:RANK or NAME:SIZE:RANK:BACKEND, like 0:2:1:gloo; once "
    "for each. Default: unknown, and the group_size of a call decides sizes";
/// While the object exists, the process groups of `--group` are registered. RAISES InvalidArgument if a value of the
/// option is malformed.
class ToldGroups {
 public:
  explicit ToldGroups(const std::vector<std::string>& texts);

 private:
  ContextGuard guard_;
};
/// Parses `--fallback`: rule, zeros or refuse. RAISES InvalidArgument for another text.
FallbackPolicy fallback_option(const std::string& text);
/// Loads a plugin. Lists on stderr, with reasons, the operators that could not be registered.
const LoadedPlugin& load_plugin_aloud(const std::string& path);
/// Calls load_plugin_aloud for each path, in order.
void load_plugins(const std::vector<std::string>& paths);

}  // namespace ersatz::tools
