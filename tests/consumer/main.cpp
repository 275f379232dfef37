// Somebody else's program, compiled against what is installed: a real call, a fake one, and a plugin's op.
#include <ersatz/fake/fake_mode.h>
#include <ersatz/kernels/shape/transpose.h>
#include <ersatz/runtime/dispatch.h>
#include <ersatz/runtime/plugin.h>
#include <ersatz/runtime/version.h>

#include <iostream>

int main(int, char** argv) {
  using namespace ersatz;
  std::cout << "ersatz " << version() << "\n";
  Tensor x = tensor_of<float>({1, -2, 3, -4, 5, -6}, {2, 3});
  std::cout << "real:   " << to_string(ops::t(x)) << "\n";
  FakeMode mode;
  std::cout << "fake:   " << to_string(ops::t(mode.from_tensor(x))) << "\n";
  load_plugin(argv[1]);
  std::cout << "plugin: " << to_string(call("demo::leaky_mix", {x, x, 0.5})[0].tensor()) << "\n";
}
