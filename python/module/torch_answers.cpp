// ersatz.torch.answering: computes the results of calls under PyTorch's FakeTensorMode by ersatz's rules, if only
// metadata matter.
//
// The result is the one that FakeTensorMode returns for a call in its cache. It is a meta tensor with the metadata,
// wrapped as a FakeTensor; for a view on the storage of the argument. Or it is the argument itself. All other calls are
// left to PyTorch and counted by reason.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>

#include "fake/ask/ask.h"
#include "fake/mode/data_dependent_symbols.h"
#include "python/module/torch_objects.h"
#include "python/module/torch_values.h"
#include "runtime/op/registry.h"
#include "runtime/plugin/codes.h"

namespace ersatz::python {
namespace {

class TorchAnswers {
 public:
  TorchAnswers()
      : torch_(TorchLibrary::get()), fakes_(torch_), values_(torch_, &fakes_), ask_(ersatz_ask(ERSATZ_ASK_ABI)) {
    asker_ = ask_->new_asker();
    const nb::object torch = nb::module_::import_("torch");
    operator_type_ = nb::module_::import_("torch._ops").attr("OpOverload");
    in_inference_mode_ = torch.attr("is_inference_mode_enabled");
    in_grad_mode_ = torch.attr("is_grad_enabled");
  }
  ~TorchAnswers() { ask_->free_asker(asker_); }
  TorchAnswers(const TorchAnswers&) = delete;
  TorchAnswers& operator=(const TorchAnswers&) = delete;

  /// Returns the call's result, or `unanswered` if PyTorch has to compute it.
  nb::object answer(nb::handle mode, nb::handle func, nb::handle args, nb::handle kwargs, nb::handle unanswered) {
    ++asked;
    Known& known = find(func);
    nb::object result;
    const char* why = known.why ? known.why : ask(known, mode, args.ptr(), kwargs.ptr());
    if (!why) why = make(known, mode, result);
    if (!why) {
      ++answered;
      ++known.answered;
      return result;
    }
    ++refused[why];
    return nb::borrow(unanswered);
  }

  std::map<std::string, int64_t> answered_by_op() const {
    std::map<std::string, int64_t> counts;
    for (const auto& [func, known] : operators_) {
      if (known.answered) counts[known.op->name] += known.answered;
    }
    return counts;
  }

  int64_t asked = 0, answered = 0;
  std::map<std::string, int64_t> refused;

 private:
  struct Known {
    nb::object func;  ///< keeps the operator object alive, so that no other object gets its address
    const OpEntry* op = nullptr;
    const char* why = nullptr;  ///< reason why calls of the operator are always left to PyTorch
    int64_t answered = 0;
  };

  Known& find(nb::handle func) {
    const auto [at, is_new] = operators_.try_emplace(func.ptr());
    Known& k = at->second;
    if (!is_new) return k;
    k.func = nb::borrow(func);
    if (!nb::isinstance(func, operator_type_)) {
      k.why = "higher-order operator";
      return k;
    }
    k.op = registry().find(nb::cast<std::string>(nb::str(func)));
    if (!k.op) {
      k.why = "no such operator here";
    } else if (tells_of_data(*k.op)) {
      k.why = "data-dependent";
    } else if (k.op->tags.has(Tag::InplaceView)) {
      k.why = "changes an argument's metadata";
    } else if (k.op->name == "aten._efficientzerotensor.default") {
      k.why = "zero tensor";  // a dispatch key of its result says that it is zero, which metadata cannot express
    } else if (k.op->tags.has(Tag::Lift)) {
      k.why = "literal tensor";
    } else if (k.op->tags.has(Tag::Foreign)) {
      k.why = "operator of a plugin";
    }
    return k;
  }

  const char* ask(const Known& known, nb::handle mode, PyObject* args, PyObject* kwargs) {
    values_.clear();
    if (const char* why = values_.bind(known.op->schema, args, kwargs == Py_None ? nullptr : kwargs, asked_))
      return why;
    for (PyObject* t : values_.tensors()) {
      if (!fakes_.is_fake(t)) return "tensor that is not fake";
      if (!fakes_.mode(t).is(mode)) return "fake of another mode";
      if (fakes_.is_more_than_metadata(t)) return "fake that has a value";
    }
    if (values_.tensors().empty() && known.op->tags.has(Tag::AcceptsNumbers)) return "numbers alone";
    if (in_inference_mode_().ptr() == Py_True) return "inference mode";
    ErsatzAskContext context = {};
    context.size = sizeof context;
    context.default_dtype = to_c(torch_.default_dtype());
    context.grad_mode = in_grad_mode_().ptr() == Py_True;
    answer_ = {};
    answer_.size = sizeof answer_;
    const ContextGuard of_this_torch([&](RuleContext& c) { c.torch = torch_.running(); });
    switch (ask_->ask(asker_, reinterpret_cast<const ErsatzOpEntry*>(known.op), &context, asked_.data(),
                      static_cast<uint32_t>(asked_.size()), &answer_)) {
      case ERSATZ_ANSWER_GIVEN:
        return check();
      case ERSATZ_ANSWER_REFUSED:
        return "refused by the rule";
      case ERSATZ_ANSWER_DATA_DEPENDENT:
        return "data-dependent";
      default:
        return "not supported";
    }
  }

  /// Returns the reason why the results cannot be made from the rule's answer; null if they can.
  const char* check() const {
    for (uint32_t i = 0; i < answer_.written_count; ++i) {
      if (answer_.written[i].meta_changed) return "changes an argument's metadata";
    }
    for (uint32_t i = 0; i < answer_.count; ++i) {
      const ErsatzResult& r = answer_.results[i];
      if (r.unknown_layout) return "layout of a library";
      if (r.kind == ERSATZ_RESULT_VALUE) {
        if (r.value.kind < ERSATZ_BOOL || r.value.kind > ERSATZ_FLOAT) return "a value that is no number";
        continue;
      }
      if (r.kind == ERSATZ_RESULT_NONE) continue;
      if (r.tensor.device.type != 1 && r.tensor.device.type != 2) return "device";
      for (uint32_t j = 0; j < i; ++j) {
        const ErsatzResult& other = answer_.results[j];
        if (r.kind == ERSATZ_RESULT_FRESH && other.kind == r.kind && other.tensor.storage == r.tensor.storage) {
          return "results that share memory";
        }
      }
    }
    return nullptr;
  }

  const char* make(const Known& known, nb::handle mode, nb::object& result) {
    const std::vector<Argument>& returns = known.op->schema.returns;
    if (returns.empty()) return result = nb::none(), nullptr;
    const bool list = returns.size() == 1 && known.op->returns_list;
    if (!list && answer_.count != returns.size()) return "lists among several results";
    if (!list && answer_.count == 1) return result = made(mode, answer_.results[0]), nullptr;
    nb::list all;
    for (uint32_t i = 0; i < answer_.count; ++i) all.append(made(mode, answer_.results[i]));
    result = list ? nb::object(all) : nb::object(nb::tuple(all));
    return nullptr;
  }

  nb::object made(nb::handle mode, const ErsatzResult& r) {
    switch (r.kind) {
      case ERSATZ_RESULT_NONE:
        return nb::none();
      case ERSATZ_RESULT_VALUE:
        if (r.value.kind == ERSATZ_BOOL) return nb::bool_(r.value.as.integer != 0);
        if (r.value.kind == ERSATZ_INT) return nb::int_(r.value.as.integer);
        return nb::float_(r.value.as.number[0]);
      case ERSATZ_RESULT_ARGUMENT:
        return nb::borrow(values_.tensors()[static_cast<size_t>(r.argument)]);
      default:
        return tensor(mode, r);
    }
  }

  nb::object tensor(nb::handle mode, const ErsatzResult& r) {
    nb::object of;
    if (r.kind == ERSATZ_RESULT_VIEW)
      of = nb::handle(values_.tensors()[static_cast<size_t>(r.argument)]).attr("untyped_storage")();
    const nb::object meta = objects_.meta_tensor(r.tensor, of), device = objects_.device(r.tensor.device);
    PyObject* const wrapped[] = {mode.ptr(), meta.ptr(), device.ptr()};
    return checked(PyObject_Vectorcall(reinterpret_cast<PyObject*>(fakes_.type()), wrapped, 3, nullptr));
  }

  const TorchLibrary& torch_;
  const TorchFakes fakes_;
  TorchValues values_;
  const ErsatzAsk* const ask_;
  ErsatzAsker* asker_ = nullptr;
  ErsatzAnswer answer_ = {};
  std::vector<ErsatzValue> asked_;
  std::unordered_map<PyObject*, Known> operators_;
  nb::object operator_type_, in_inference_mode_, in_grad_mode_;
  TorchObjects objects_;
};

}  // namespace

void bind_torch_answers(nb::module_& m) {
  nb::class_<TorchAnswers>(m, "TorchAnswers", "Answers calls under PyTorch's FakeTensorMode, and counts them.")
      .def(nb::init<>())
      .def("answer", &TorchAnswers::answer, nb::arg("mode"), nb::arg("func"), nb::arg("args"), nb::arg("kwargs"),
           nb::arg("unanswered"))
      .def_ro("asked", &TorchAnswers::asked)
      .def_ro("answered", &TorchAnswers::answered)
      .def_ro("refused", &TorchAnswers::refused)
      .def("answered_by_op", &TorchAnswers::answered_by_op);
}

}  // namespace ersatz::python
