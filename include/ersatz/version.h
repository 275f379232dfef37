// Which ersatz the program runs with: `ersatz::version()`.
#pragma once

#include "runtime/base/version.h"
