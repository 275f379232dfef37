// Runs the tests of programs, graphs and archives with fake modes that carry real tensors.
#include <gtest/gtest.h>

#include "tests/fake/propagating_run.h"

namespace ersatz {
namespace {

// REAL-10
TEST(RealSuites, GraphsAndProgramsBehaveAsWithoutRealTensors) {
  // Three tests are excluded. Two load archives with damaged bytes as fakes, but a mode with real values must read the
  // bytes. The third expects an error because data are missing, and in this mode they are not.
  EXPECT_EQ(run_propagating("*-RealSuites.*:TensorArchive.LoadsFakesOfAFileWithoutItsBytes:"
                            "TensorArchive.WeightsOfProgramComeFakeWithoutTheirBytes:"
                            "NodeValues.WhatDependsOnDataSaysWhatToSet"),
            0);
}

}  // namespace
}  // namespace ersatz
