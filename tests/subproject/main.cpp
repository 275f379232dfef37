// A user's program in one build with ersatz: it includes every public header, with warnings as errors.
#include <ersatz/ersatz.h>
#include <ersatz/plugin_op.h>

int main() {
  using namespace ersatz;
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor y = ops::relu(mode.from_tensor(tensor_of<float>({1, -2}, {2})));
  return y.is_fake() ? 0 : 1;
}
