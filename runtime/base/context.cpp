#include "runtime/base/context.h"

namespace ersatz::detail {
thread_local constinit RuleContext t_context;
thread_local constinit bool t_autograd_excluded = false;
}  // namespace ersatz::detail
