// Precompiled headers of the tools: those of the rooms below, and a library that is slow to parse.
#pragma once
#include <nlohmann/json.hpp>

#include "cmake/pch.h"
