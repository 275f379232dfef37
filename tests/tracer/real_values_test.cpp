// Runs the tests of programs, graphs and archives with fake modes that carry real tensors.
#include <gtest/gtest.h>

#include "tests/fake/propagating_run.h"

namespace ersatz {
namespace {

// REAL-10
TEST(RealSuites, GraphsAndProgramsBehaveAsWithoutRealTensors) {
  // Excluded are two tests that load damaged bytes as fakes, because a mode with real values must read the bytes, and
  // one test about missing data, which this mode has.
  EXPECT_EQ(run_propagating("*-RealSuites.*:TensorArchive.LoadsFakesOfAFileWithoutItsBytes:"
                            "TensorArchive.WeightsOfAProgramComeFakeWithoutTheirBytes:"
                            "NodeValues.WhatDependsOnDataSaysWhatToSet"),
            0);
}

}  // namespace
}  // namespace ersatz
