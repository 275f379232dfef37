// Calls a plugin's function: converts arguments to C, and checks and converts its results. Private to the runtime.
#pragma once

#include <deque>

#include "runtime/op/kernel.h"
#include "runtime/op/rule.h"
#include "runtime/plugin/plugin.h"

namespace ersatz {

/// The data of a plugin's op. OpEntry::plugin_op points to it; it is never freed.
struct PluginOp {
  std::string path;
  void* state = nullptr;
  ErsatzFunction cpu = nullptr, cuda = nullptr, rule = nullptr;
  /// False: the plugin was built with an older header, in which an unset device means the CPU. A CPU result is then
  /// refused if all tensor arguments are on other devices (PluginCall::check_device).
  bool names_devices = true;
  uint32_t abi = ERSATZ_PLUGIN_ABI;         ///< the version of the interface that the plugin accepted
  std::string derivative;                   ///< the text of OpEntry::derivative; empty: the plugin gave none
  std::vector<const char*> argument_names;  ///< the entry's schema owns the names
};

void plugin_rule(RuleCall& call);
void plugin_cpu_kernel(KernelCall& call, Values& results);
void plugin_cuda_kernel(KernelCall& call, Values& results);

/// Sets the functions of ErsatzHost that plugins may use during a call.
void fill_call_functions(ErsatzHost& host);

}  // namespace ersatz
