// Precompiled for the command line: beside what the rooms precompile, the library that is slow to parse.
#pragma once
#include <nlohmann/json.hpp>

#include "cmake/pch.h"
