// A program that uses the plugin: it predicts an op's result, runs the op, and compares. Exit status 0: they agree.
#include <ersatz/call.h>
#include <ersatz/fake.h>
#include <ersatz/plugin.h>

#include <iostream>

int main() {
  using namespace ersatz;
  try {
    load_plugin(DEMO_OPS);
    Tensor x = tensor_of<float>({1, -2, 3, -4, 5, -6}, {2, 3});
    Tensor real = call("demo::leaky_mix", {x, x, 0.5})[0].tensor();

    FakeMode mode;
    Tensor fake_x = mode.from_tensor(x);
    Tensor predicted = call("demo::leaky_mix", {fake_x, fake_x, 0.5})[0].tensor();

    std::cout << "real " << to_string(real) << "\nfake " << to_string(predicted) << "\n";
    bool agree = diff(real.meta(), predicted.meta()).is_equal();
    bool right = real.data<float>()[0] == 1 && real.data<float>()[1] == -2;  // the result is column-major
    return agree && right ? 0 : 1;
  } catch (const Error& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
