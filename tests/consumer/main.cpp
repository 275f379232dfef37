// A user's program, compiled against the installed ersatz: it makes a real call, a fake call, and calls of plugins that
// its arguments name.
#include <ersatz/ersatz.h>

#include <iostream>

int main(int argc, char** argv) {
  using namespace ersatz;
  std::cout << "ersatz " << version() << "\n";
  Tensor x = tensor_of<float>({1, -2, 3, -4, 5, -6}, {2, 3});
  std::cout << "real:   " << to_string(ops::t(x)) << "\n";
  FakeMode mode;
  std::cout << "fake:   " << to_string(ops::t(mode.from_tensor(x))) << "\n";
  for (int i = 1; i < argc; ++i) {
    for (const std::string& op : load_plugin(argv[i]).ops) std::cout << "plugin: " << op << "\n";
  }
  if (registry().find("demo::leaky_mix")) {
    std::cout << "plugin: " << to_string(call("demo::leaky_mix", {x, x, 0.5})[0].tensor()) << "\n";
  }
}
