// What a plugin's typed function takes and returns, held against the schema of its op when the plugin is loaded.
#pragma once

#include <string>
#include <string_view>

#include "runtime/op/schema.h"

namespace ersatz {

/// Why a function cannot serve the schema: another number of arguments or results, or a type that the schema does not
/// have there; names both. Empty: it can. `signature` is spelled as ErsatzOp says (runtime/plugin/plugin.h), `function`
/// is `rule`, `cpu kernel`. Raises InvalidArgument where the text is no signature.
std::string signature_misfit(const FunctionSchema& schema, std::string_view function, std::string_view signature);

}  // namespace ersatz
