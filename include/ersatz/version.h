// The version of the loaded ersatz library: `ersatz::version()`.
#pragma once

#include "runtime/base/version.h"
