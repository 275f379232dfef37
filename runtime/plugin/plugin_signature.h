// Compares the signature of a plugin's typed function with its op's schema when the plugin is loaded.
#pragma once

#include <string>
#include <string_view>

#include "runtime/op/schema.h"

namespace ersatz {

/// Why a function does not fit the schema: another number of arguments or results, or another type; the text names
/// both. Empty if it fits. `signature` is spelled as ErsatzOp says (runtime/plugin/plugin.h), `function` is `rule` or
/// `cpu kernel`. Raises InvalidArgument if the text is not a signature.
std::string signature_misfit(const FunctionSchema& schema, std::string_view function, std::string_view signature);

}  // namespace ersatz
