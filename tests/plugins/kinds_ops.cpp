// A plugin whose kernel returns the kinds of its arguments.
#include "runtime/plugin/plugin.h"

#include "tests/plugins/told_kinds.h"

extern "C" int ersatz_plugin(const ErsatzHost* host, uint32_t abi) {
  if (abi != ERSATZ_PLUGIN_ABI) return host->refuse_load(host, "it was built for the plugin interface of today");
  ErsatzOp op{};
  op.size = sizeof op;
  op.schema = "kinds::told(Tensor x, Layout l, MemoryFormat f, Generator? g) -> (int, int, int, int)";
  op.cpu = told_kinds;
  return host->add_op(host, &op);
}
