// Precompiled for the command line: beside what the rooms precompile, the two libraries that are slow to parse.
#pragma once
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cmake/pch.h"
