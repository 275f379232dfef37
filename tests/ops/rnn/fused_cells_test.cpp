// The fused cells must equal the unfused cells, and their gradients must equal central differences.
#include "kernels/rnn/fused_cells.h"

#include <cmath>

#include "kernels/reduction/sum.h"
#include "kernels/rnn/rnn_cells.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

const std::vector<double> kGates{0.5, -1, 0.25, 2};

TEST(FusedLstmCell, HasItsSlopesAsGradient) {
  const Tensor none = f64({1, 4}, {0, 0, 0, 0}), cx = f64({1, 1}, {3}), one = f64({1, 1}, {1});
  const auto forward = [&](std::vector<double> gates) {
    const auto [hy, cy, workspace] = ops::_thnn_fused_lstm_cell(f64({1, 4}, std::move(gates)), none, cx);
    return elements(hy)[0].real() + elements(cy)[0].real();
  };
  const auto [hy, cy, workspace] = ops::_thnn_fused_lstm_cell(f64({1, 4}, kGates), none, cx);
  const auto [of_gates, of_cx, of_bias] = ops::_thnn_fused_lstm_cell_backward_impl(one, one, cx, cy, workspace, true);
  for (size_t i = 0; i < 4; ++i) {
    std::vector<double> up = kGates, down = kGates;
    up[i] += 1e-5, down[i] -= 1e-5;
    EXPECT_NEAR(elements(of_gates)[i].real(), (forward(up) - forward(down)) / 2e-5, 1e-8) << i;
  }
  EXPECT_EQ(elements(of_bias), elements(of_gates));
  const Values same = call("aten._thnn_differentiable_lstm_cell_backward.default",
                           {one, one, f64({1, 4}, kGates), none, Value(), Value(), cx, cy});
  EXPECT_EQ(first_difference(elements(same[0].tensor()), elements(of_gates), 1e-12), -1);
  EXPECT_EQ(first_difference(elements(same[2].tensor()), elements(of_cx), 1e-12), -1);
  EXPECT_TRUE(same[3].is_none());
}
OP_TEST(FusedLstmCell, WithoutAGradientGivesNone) {
  const Tensor x = make("f32[2,3]");
  for (const Value& v :
       call("aten._thnn_fused_lstm_cell_backward.default", {Value(), Value(), x, x, make("f32[2,12]"), true}))
    EXPECT_TRUE(v.is_none());
}
TEST(FusedGruCell, HasItsSlopesAsGradient) {
  const std::vector<double> gates{0.5, -1, 2}, hidden{0.25, 1, -1};
  const Tensor one = f64({1, 1}, {1}), hx = f64({1, 1}, {3});
  const auto forward = [&](std::vector<double> from_hidden) {
    const auto [hy, workspace] = ops::_thnn_fused_gru_cell(f64({1, 3}, gates), f64({1, 3}, std::move(from_hidden)), hx);
    return elements(hy)[0].real();
  };
  const auto [hy, workspace] = ops::_thnn_fused_gru_cell(f64({1, 3}, gates), f64({1, 3}, hidden), hx);
  const auto [of_input, of_hidden, of_hx, of_input_bias, of_hidden_bias] =
      ops::_thnn_fused_gru_cell_backward(one, workspace, true);
  for (size_t i = 0; i < 3; ++i) {
    std::vector<double> up = hidden, down = hidden;
    up[i] += 1e-5, down[i] -= 1e-5;
    EXPECT_NEAR(elements(of_hidden)[i].real(), (forward(up) - forward(down)) / 2e-5, 1e-8) << i;
  }
  const Values same = call("aten._thnn_differentiable_gru_cell_backward.default",
                           {one, f64({1, 3}, gates), f64({1, 3}, hidden), hx, Value(), Value()});
  EXPECT_EQ(first_difference(elements(same[0].tensor()), elements(of_input), 1e-12), -1);
  EXPECT_EQ(first_difference(elements(same[2].tensor()), elements(of_hx), 1e-12), -1);
}

}  // namespace
}  // namespace ersatz
