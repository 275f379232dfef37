// Programs, graphs and archives where every fake mode carries real tensors.
#include <gtest/gtest.h>

#include "tests/fake/propagating_run.h"

namespace ersatz {
namespace {

// REAL-10
TEST(RealSuites, GraphsAndProgramsBehaveAsWithoutRealTensors) {
  // Two tests load damaged bytes as fakes: a mode that carries values has to read the bytes. One asks for what depends
  // on data, which is known there.
  EXPECT_EQ(run_propagating("*-RealSuites.*:TensorArchive.LoadsFakesOfAFileWithoutItsBytes:"
                            "TensorArchive.WeightsOfAProgramComeFakeWithoutTheirBytes:"
                            "NodeValues.WhatDependsOnDataSaysWhatToSet"),
            0);
}

}  // namespace
}  // namespace ersatz
