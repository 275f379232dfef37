// Precompiled for the tests: GoogleTest, fmt and what most tests include. A test still includes what it uses.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/pch.h"
