// Compares the signature of a plugin's typed function with its op's schema when the plugin is loaded.
#pragma once

#include <string>
#include <string_view>

#include "runtime/op/schema.h"

namespace ersatz {

/// Returns how a function differs from the schema, with both types: another number of arguments or results, or another
/// type. Empty if the function fits. `signature` is spelled like ErsatzOp::cpu_signature (runtime/plugin/plugin.h);
/// `function` is `rule` or `cpu kernel`. Raises InvalidArgument if `signature` cannot be parsed.
std::string signature_misfit(const FunctionSchema& schema, std::string_view function, std::string_view signature);

}  // namespace ersatz
