#include "tools/program/run_options.h"

namespace ersatz::tools {

TorchVersion torch_of(std::optional<TorchVersion> told, std::string_view producer) {
  if (!told) told = torch_version_of_producer(producer);
  return told.value_or(rule_context().torch);
}

CrosscheckOptions engine_options(const RunOptions& run, const Waivers& waivers) {
  CrosscheckOptions o;
  o.run_real = !run.no_real;
  o.reference_f64 = run.reference_f64;
  o.poison = o.guards = o.hash_inputs = run.bytes;
  o.waivers = waivers;
  return o;
}

}  // namespace ersatz::tools
