#include "python/module/module.h"

#include "python/module/kept_run.h"
#include "python/module/propagation.h"
#include "runtime/base/version.h"

NB_MODULE(_ersatz, m) {
  using namespace ersatz::python;
  m.attr("__version__") = std::string(ersatz::version()).c_str();
  nb::set_leak_warnings(false);  // an object that a program still has when it ends is no leak
  bind_errors(m);
  bind_tensors(m);
  bind_autograd(m);
  bind_modes(m);
  bind_operators(m);
  bind_reports(m);
  bind_programs(m);
  bind_commands(m);
  bind_kept_run(m);
  bind_live(m);
  bind_validation(m);
  bind_propagation(m);
  bind_torch_graph(m);
  bind_torch_graph_check(m);
  bind_torch_answers(m);
}
