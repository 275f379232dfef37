#include "runtime/base/version.h"

namespace ersatz {

std::string_view version() { return ERSATZ_VERSION; }

}  // namespace ersatz
