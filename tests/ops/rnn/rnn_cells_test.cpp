#include "kernels/rnn/rnn_cells.h"

#include <cmath>

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

OP_TEST(LstmCell, MixesTheCellByItsGates) {
  const Tensor x = f64({1, 1}, {1}), h = f64({1, 1}, {2}), c = f64({1, 1}, {3});
  const Tensor states[] = {h, c};
  const Tensor from_x = f64({4, 1}, {1, 2, 3, 4}), from_h = f64({4, 1}, {0, 0, 0, 0}), bias = f64({4}, {0, 0, -3, 0});
  const auto [hidden, cell] = ops::lstm_cell(x, states, from_x, from_h, bias, bias);
  const double next = sigmoid(2) * 3 + sigmoid(1) * std::tanh(-3.0);
  expect(cell).meta("f64[1,1]").values({next});
  expect(hidden).meta("f64[1,1]").values({sigmoid(4) * std::tanh(next)});
}
OP_TEST(GruCell, MixesOldAndNew) {
  const Tensor x = f64({1, 1}, {1}), h = f64({1, 1}, {2});
  const Tensor from_x = f64({3, 1}, {1, 2, 3}), from_h = f64({3, 1}, {0, 0, 0.5});
  const double candidate = std::tanh(3 + sigmoid(1) * 1.0), update = sigmoid(2);
  expect(ops::gru_cell(x, h, from_x, from_h)).meta("f64[1,1]").values({(1 - update) * candidate + update * 2});
}
OP_TEST(SimpleCells, AreTanhAndReluOfTheSum) {
  const Tensor x = f64({1, 1}, {1}), h = f64({1, 1}, {2}), a = f64({1, 1}, {-3}), b = f64({1, 1}, {1});
  expect(ops::rnn_tanh_cell(x, h, a, b)).values({std::tanh(-1.0)});
  expect(ops::rnn_relu_cell(x, h, a, b)).values({0});
}

}  // namespace
}  // namespace ersatz
