// Precompiled for the tests: GoogleTest, fmt and headers that most tests include. A test still includes each header
// that it uses.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/pch.h"
