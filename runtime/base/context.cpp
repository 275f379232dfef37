#include "runtime/base/context.h"

namespace ersatz::detail {
thread_local constinit RuleContext t_context;
}
