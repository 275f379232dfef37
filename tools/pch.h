// Precompiled headers of the tools: the headers of cmake/pch.h, and a library that is slow to parse.
#pragma once
#include <nlohmann/json.hpp>

#include "cmake/pch.h"
