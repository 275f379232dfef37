#include "python/module/kept_run.h"

#include <cstring>
#include <optional>

#include "python/module/raised_exception.h"

namespace ersatz::python {
namespace {

/// The functions of PyTorch and of Python that read and set the state which KeptRun restores.
struct Switches {
  nb::object grad, set_grad, dtype, set_dtype, drawn, set_drawn;
  nb::object random;  ///< the generator object of Python's module `random`
  /// The generator's state in memory, because a call of getstate() takes 20 us; null if the address was not found.
  uint32_t* words = nullptr;
  static constexpr size_t kWords = 625;  ///< size of the state: numbers from which the generator draws, and an index

  static const Switches& get() {
    static const Switches* const all = new Switches;  // never freed, because it has Python objects
    return *all;
  }

 private:
  Switches() {
    const nb::object torch = nb::module_::import_("torch"), c = torch.attr("_C");
    grad = torch.attr("is_grad_enabled"), set_grad = c.attr("_set_grad_enabled");
    dtype = torch.attr("get_default_dtype"), set_dtype = torch.attr("set_default_dtype");
    drawn = torch.attr("default_generator").attr("get_state");
    set_drawn = torch.attr("default_generator").attr("set_state");
    random = nb::module_::import_("random").attr("_inst");
    words = found_words();
  }

  /// Returns the address of the words after the object's header. null unless each word equals the one that getstate()
  /// returns.
  uint32_t* found_words() const {
    const auto size = static_cast<size_t>(Py_TYPE(random.ptr())->tp_basicsize);
    const nb::object said = random.attr("getstate")()[1];
    if (size < sizeof(PyObject) + kWords * sizeof(uint32_t) || nb::len(said) != kWords) return nullptr;
    auto* const at = reinterpret_cast<uint32_t*>(reinterpret_cast<char*>(random.ptr()) + sizeof(PyObject));
    for (size_t i = 0; i < kWords; ++i) {
      if (at[i] != nb::cast<uint32_t>(said[(i + kWords - 1) % kWords])) return nullptr;
    }
    return at;
  }
};

bool same_bytes(const nb::object& a, const nb::object& b) {
  const auto bytes = [](const nb::object& t) {
    return reinterpret_cast<const void*>(nb::cast<uintptr_t>(t.attr("data_ptr")()));
  };
  return std::memcmp(bytes(a), bytes(b), nb::cast<size_t>(a.attr("nbytes"))) == 0;
}

}  // namespace

KeptRun::KeptRun() {
  const Switches& s = Switches::get();
  grad_ = s.grad(), dtype_ = s.dtype(), drawn_ = s.drawn();
  if (s.words)
    words_.assign(s.words, s.words + Switches::kWords);
  else
    random_ = s.random.attr("getstate")();
  gauss_ = s.random.attr("gauss_next");
  s.set_grad(false);
}

KeptRun::~KeptRun() {
  const Switches& s = Switches::get();
  const ExceptionAside of_the_fake;
  try {
    s.set_grad(grad_);
    if (!s.dtype().is(dtype_)) s.set_dtype(dtype_);
    if (!same_bytes(s.drawn(), drawn_)) s.set_drawn(drawn_);
    if (!words_.empty()) {
      std::copy(words_.begin(), words_.end(), s.words);
      s.random.attr("gauss_next") = gauss_;
    } else {
      s.random.attr("setstate")(random_);
    }
  } catch (nb::python_error&) {  // none of these calls raises
  }
}

void bind_kept_run(nb::module_& m) {
  using Kept = std::optional<KeptRun>;
  nb::class_<Kept>(
      m, "KeptRun",
      "A context in which a fake kernel may draw, switch and raise: random states of Python and of PyTorch's "
      "CPU, grad mode and default dtype are put back. No gradient is recorded in it.")
      .def("__init__", [](Kept* k) { new (k) Kept; })
      .def("__enter__", [](Kept& k) { k.emplace(); })
      .def("__exit__", [](Kept& k, nb::args) { k.reset(); });
}

}  // namespace ersatz::python
