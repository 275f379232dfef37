// ersatz.FakeMode.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "fake/mode/fake_mode.h"
#include "python/module/module.h"
#include "python/module/values.h"

namespace ersatz::python {
namespace {

/// A mode as Python enters and leaves it. Modes of C++ are scopes, so that those of a thread end in the order in which
/// they began, last first; leaving another one is refused.
class PythonFakeMode {
 public:
  const FakeMode mode;

  void enter() { scopes_of_thread().push_back({this, std::make_unique<FakeScope>(mode)}); }
  void leave() {
    auto& scopes = scopes_of_thread();
    if (scopes.empty() || scopes.back().mode != this) {
      fail_argument("FakeMode: this mode is not the innermost one of the thread: modes are left in the reverse order");
    }
    scopes.pop_back();
  }

 private:
  struct Scope {
    const PythonFakeMode* mode;
    std::unique_ptr<FakeScope> scope;
  };
  static std::vector<Scope>& scopes_of_thread() {
    static thread_local std::vector<Scope> scopes;
    return scopes;
  }
};

}  // namespace

void bind_modes(nb::module_& m) {
  nb::class_<PythonFakeMode>(m, "FakeMode",
                             "In it operators return fakes: metadata, no data. A context manager, of its thread.")
      .def(nb::init<>())
      .def("__enter__",
           [](nb::handle self) {
             nb::cast<PythonFakeMode&>(self).enter();
             return nb::borrow(self);
           })
      .def("__exit__", [](PythonFakeMode& self, nb::args) { self.leave(); })
      .def(
          "from_tensor",
          [](const PythonFakeMode& self, nb::handle tensor) {
            Tensor* t = nullptr;
            return self.mode.from_tensor(nb::try_cast<Tensor*>(tensor, t) && t ? *t : tensor_of_array(tensor));
          },
          nb::arg("tensor"), "The fake of a tensor or array: the same one each time while both live.");
}

}  // namespace ersatz::python
