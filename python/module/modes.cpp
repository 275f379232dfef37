// The class ersatz.FakeMode.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fake/mode/fake_mode.h"
#include "python/module/arrays.h"
#include "python/module/tensor_object.h"
#include "python/module/torch_history.h"
#include "runtime/base/context.h"
#include "runtime/sym/sym_expr.h"
#include "tools/answer/run_options.h"

namespace ersatz::python {
namespace {

/// A mode that Python enters and leaves. In C++ modes are scopes, so the modes of a thread have to end in reverse
/// order. Leaving a mode that is not the innermost is refused and changes nothing.
class PythonFakeMode {
 public:
  PythonFakeMode(FakeOptions options, BackendRecord backend) : mode(std::move(options)), backend_(backend) {}

  const FakeMode mode;

  void enter() { scopes_of_thread().scopes.push_back(std::make_unique<Scope>(*this)); }

  void leave() {
    auto& scopes = scopes_of_thread().scopes;
    if (scopes.empty() || &scopes.back()->mode != this) {
      fail_argument("FakeMode: this mode is not the innermost one of the thread: modes are left in the reverse order");
    }
    scopes.pop_back();
  }

 private:
  struct Scope {
    explicit Scope(const PythonFakeMode& m)
        : mode(m), context([&](RuleContext& c) { c.backend = m.backend_; }), scope(m.mode) {}
    const PythonFakeMode& mode;
    ContextGuard context;
    FakeScope scope;
  };
  /// When the thread ends, its remaining scopes end in reverse order.
  struct Scopes {
    std::vector<std::unique_ptr<Scope>> scopes;
    ~Scopes() {
      while (!scopes.empty()) scopes.pop_back();
    }
  };
  static Scopes& scopes_of_thread() {
    static thread_local Scopes scopes;
    return scopes;
  }

  const BackendRecord backend_;
};

void make_mode(PythonFakeMode* self, const std::string& fallback, bool allow_data_dependent, bool allow_non_fake_inputs,
               bool data_symbols, const std::string& backend) {
  FakeOptions options;
  options.fallback = tools::fallback_option(fallback);
  options.allow_data_dependent = allow_data_dependent;
  options.allow_non_fake_inputs = allow_non_fake_inputs;
  if (data_symbols) {
    options.shape_env = std::make_shared<ShapeEnv>();
    options.static_shapes = true;
    options.allow_scalar_outputs = true;
  }
  new (self) PythonFakeMode(std::move(options), tools::backend_option(backend));
}

void bind_fallback_events(nb::module_& m) {
  nb::class_<FallbackEvent>(m, "FallbackEvent",
                            "A kernel that a mode ran on synthetic inputs because the op has no rule.")
      .def_ro("op", &FallbackEvent::op, "The operator's name.")
      .def_ro("reason", &FallbackEvent::reason, "Why no rule answered.")
      .def_prop_ro(
          "fill", [](const FallbackEvent& e) { return std::string(name(e.fill)); },
          "The values of the synthetic inputs: 'zeros'.")
      .def_ro("bytes", &FallbackEvent::bytes, "Bytes of the synthetic inputs.")
      .def_ro("nanoseconds", &FallbackEvent::nanoseconds, "Filling, kernel and mapping.")
      .def_ro("numbers", &FallbackEvent::numbers, "Results that are numbers: they come from the fill, not from data.")
      .def_ro("failed", &FallbackEvent::failed, "Did the kernel raise?")
      .def("__repr__", [](const FallbackEvent& e) { return fmt::format("<fallback {}: {}>", e.op, e.reason); });
}

}  // namespace

void bind_modes(nb::module_& m) {
  bind_fallback_events(m);
  nb::class_<PythonFakeMode>(m, "FakeMode",
                             "In it operators return fakes: metadata, no data. A context manager, of its thread.\n\n"
                             "fallback: of operators without a rule: 'rule' as they declare, 'zeros' their kernels run "
                             "on zeros, 'refuse' none does.\n"
                             "allow_data_dependent: they fall back too where sizes depend on data.\n"
                             "allow_non_fake_inputs: real tensors among the arguments are converted.\n"
                             "data_symbols: sizes that depend on data are symbols, 'u0'.\n"
                             "backend: which GPU and libraries cuda means in its scope: 'sm_90,cudnn=91900'.")
      .def("__init__", &make_mode, nb::kw_only(), nb::arg("fallback") = "rule", nb::arg("allow_data_dependent") = false,
           nb::arg("allow_non_fake_inputs") = false, nb::arg("data_symbols") = false, nb::arg("backend") = "")
      .def(
          "__enter__",
          [](nb::handle self) {
            nb::cast<PythonFakeMode&>(self).enter();
            self.inc_ref();  // the object is kept alive as long as the mode is active
            return nb::borrow(self);
          },
          nb::sig("def __enter__(self) -> FakeMode"))
      .def(
          "__exit__",
          [](nb::handle self, nb::args) {
            nb::cast<PythonFakeMode&>(self).leave();
            self.dec_ref();
          },
          nb::sig("def __exit__(self, *error: object) -> None"))
      .def(
          "from_tensor",
          [](const PythonFakeMode& self, nb::handle tensor) {
            const Tensor* const t = tensor_in(tensor.ptr());
            return self.mode.from_tensor(t ? *t : tensor_with_history(tensor));
          },
          nb::arg("tensor"), nb::sig("def from_tensor(self, tensor: typing.Any) -> Tensor"),
          "The fake of a tensor or array: the same one each time while both live. For a tensor of PyTorch it has "
          "autograd's facts: requires_grad, is_leaf, the base of a view, grad, and whether it is a parameter.")
      .def_prop_ro(
          "fallbacks", [](const PythonFakeMode& self) { return self.mode.fallbacks(); },
          nb::sig("def fallbacks(self) -> list[FallbackEvent]"), "Every fallback that the mode ran, oldest first.");
}

}  // namespace ersatz::python
