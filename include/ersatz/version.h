// The version of ersatz that the program runs with: `ersatz::version()`.
#pragma once

#include "runtime/base/version.h"
