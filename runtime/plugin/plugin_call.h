// One call of a plugin's function: arguments in the C layout, results taken back and checked. Private to the runtime.
#pragma once

#include <deque>

#include "runtime/op/kernel.h"
#include "runtime/op/rule.h"
#include "runtime/plugin/plugin.h"

namespace ersatz {

/// The data of a plugin's op, to which its entry points (`plugin_op`); never freed.
struct PluginOp {
  std::string path;
  void* state = nullptr;
  ErsatzFunction cpu = nullptr, cuda = nullptr, rule = nullptr;
  /// False: built with an older header, which passes the CPU for a device that the plugin does not name. The CPU is
  /// then not taken for the device that was meant.
  bool names_devices = true;
  uint32_t abi = ERSATZ_PLUGIN_ABI;         ///< the interface that the plugin took
  std::string derivative;                   ///< the text of the entry's derivative; empty: none was given
  std::vector<const char*> argument_names;  ///< the entry's schema holds them
};

void plugin_rule(RuleCall& call);
void plugin_cpu_kernel(KernelCall& call, Values& results);
void plugin_cuda_kernel(KernelCall& call, Values& results);

/// The functions of ErsatzHost that belong to calls.
void fill_call_functions(ErsatzHost& host);

}  // namespace ersatz
