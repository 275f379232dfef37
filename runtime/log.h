// The log of ersatz: spdlog's logger `ersatz` on stderr, silent unless ERSATZ_LOG says a level (`debug`, `info`,
// `warn`).
#pragma once

#include <spdlog/spdlog.h>

namespace ersatz {

spdlog::logger& log();

}  // namespace ersatz
