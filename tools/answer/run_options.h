// What a command line or Python says of a run: where, for which GPU, with whose operators.
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

/// What `--device` says. Of `xpu=cpu`, `xpu=cuda` and `xpu=FILE` it is whose rules tensors on xpu go by
/// (runtime/base/other_devices.h), and with FILE which layouts they have (device_records.h); of `xpu:1=FILE` it is the
/// device xpu:1 too. An empty text is no device.
class DeviceChoice {
 public:
  /// Forgets what was parsed and chosen of devices of metadata before. InvalidArgument where the text names nothing.
  explicit DeviceChoice(const std::string& text);
  /// Empty of `xpu=cpu` and its like.
  const std::optional<Device>& device() const { return device_; }
  /// Who answered for the devices of metadata that were parsed, for a report.
  std::string lines() const;
  /// The same as `device_rules` and, with FILE, `device_layouts`.
  void add_to_json(nlohmann::ordered_json& report) const;
  /// Those of FILE; null: there is none.
  const DeviceLayouts* layouts() const { return layouts_ ? &*layouts_ : nullptr; }

 private:
  std::optional<Device> device_;
  std::optional<DeviceRecords> records_;
  std::optional<DeviceLayouts> layouts_;  ///< of the records
};
/// `--device` of a command: while it lives, calls of this thread have the layouts of FILE.
class DeviceOption : public DeviceChoice {
 public:
  explicit DeviceOption(const std::string& text) : DeviceChoice(text) {
    if (layouts()) guard_.emplace(layouts());
  }

 private:
  std::optional<DeviceLayoutsGuard> guard_;
};
/// The lines on devices of metadata, of a report that DeviceChoice::add_to_json has added to.
std::string device_lines(const nlohmann::ordered_json& report);
/// `--device` of commands that run kernels: InvalidArgument too of a device of metadata.
Device kernel_device_option(const std::string& text);
/// `--backend`, in the spelling of runtime/op/recorded_layout.h; unknown where it is empty. InvalidArgument where it
/// names none.
BackendRecord backend_option(const std::string& text);
/// The same of a command with `--device`: InvalidArgument too where there is a backend and no CUDA device. Where no
/// device is given, `recorded_on_gpu` tells whether the program itself has one.
BackendRecord backend_option(const std::string& text, const std::optional<Device>& device,
                             bool recorded_on_gpu = false);
/// Options of a run that are neither numbers nor switches, as they are written.
struct RunTexts {
  std::string device, backend, reference, torch;
};
/// Reads them into the options of a run, whose `no_real` is set before. InvalidArgument where one names nothing, or
/// does not go with the others; a backend without a device is left to the programs. `device` is that of the texts.
void read_run_texts(const RunTexts& texts, const DeviceChoice& device, RunOptions& to);
/// What `--torch` says, for the help of a command.
inline constexpr char kTorchWords[] =
    "The version of PyTorch whose answers are predicted, like 2.11 (2.9 to 2.15). Default: the one that the file "
    "names, "
    "else 2.15";
/// `--torch`; none where it is empty. InvalidArgument where it names no version, or one older than kOldestTorch.
std::optional<TorchVersion> torch_option(const std::string& text);
/// What `--group` says, for the help of a command.
inline constexpr char kGroupWords[] =
    "A group of processes that collectives name, as NAME:SIZE:RANK or NAME:SIZE:RANK:BACKEND, like 0:2:1:gloo; once "
    "for "
    "each. Default: unknown, and sizes go by the calls' own group_size";
/// `--group`, for as long as it lives. InvalidArgument where a text says none.
class ToldGroups {
 public:
  explicit ToldGroups(const std::vector<std::string>& texts);

 private:
  ContextGuard guard_;
};
/// `--fallback`: rule, zeros or refuse; InvalidArgument where it is none.
FallbackPolicy fallback_option(const std::string& text);
/// Loads a plugin; says on stderr which of its ops were left out, and why.
const LoadedPlugin& load_plugin_aloud(const std::string& path);
/// Loads each plugin so, in order.
void load_plugins(const std::vector<std::string>& paths);

}  // namespace ersatz::tools
