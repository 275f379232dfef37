// The live crosscheck of PyTorch without the glue (python/glue/glue.cpp): the Python dispatch mode calls a function
// that makes each call and compares it with the rule.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "python/module/errors.h"
#include "python/module/fake_kernel_answer.h"
#include "python/module/kept_run.h"
#include "python/module/live_gradients.h"
#include "python/module/live_interface.h"
#include "python/module/made_call.h"
#include "python/module/meta_calls.h"
#include "python/module/process_groups.h"
#include "python/module/raised_exception.h"
#include "python/module/report_object.h"
#include "python/module/torch_values.h"
#include "runtime/op/registry.h"
#include "runtime/plugin/codes.h"
#include "tools/live/live_session.h"
#include "tools/program/missing_ops.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::python {
namespace {

/// A PyTorch operator, with its properties, which are read at its first call.
struct TorchOperator {
  nb::object object;            ///< keeps the operator object alive, so that no other object gets its address
  const OpEntry* op = nullptr;  ///< an op of ersatz or of LiveSession::own; null: `why` has the reason
  std::string name;
  std::string why;         ///< reason why calls of the operator are not compared
  bool has_parts = false;  ///< PyTorch only decomposes the operator; the calls of its decomposition are compared
  bool is_own = false;     ///< it is a custom operator
  int watched = 0;         ///< number of calls of the operator whose bytes were checked
};

class TorchCrosscheck {
 public:
  TorchCrosscheck(const std::string& waivers, bool strides, bool stop_at_first, std::vector<std::string> exclude,
                  const std::string& device)
      : torch_(TorchLibrary::get()),
        session_(options(waivers, strides, stop_at_first), device),
        arguments_(torch_),
        results_(torch_),
        after_(torch_) {
    session_.where = [this] {
      const nb::gil_scoped_acquire gil;
      return where_function.is_none() ? std::string() : nb::cast<std::string>(where_function());
    };
    session_.excluded = std::move(exclude);
    session_.group = [this](const std::string& name) { return group_of(groups, name); };
    session_.rank_of_process = [this] { return python::rank_of_process(groups); };
    session_.own.ask = [this](const std::string& record, bool has_returned) { return asked(record, has_returned); };
    session_.own.ask_on_meta = [this](const OpEntry& op, const AskedCall& call) { return asked_on_meta(op, call); };
    session_.to_change = [this](const std::string& record, FindingField field, int result) {
      const nb::gil_scoped_acquire gil;
      try {
        return own_calls.is_none()
                   ? std::string()
                   : nb::cast<std::string>(own_calls.attr("to_change")(record, std::string(name(field)), result));
      } catch (nb::python_error&) {
        return std::string();  // the finding then names no line to change
      }
    };
  }

  /// Makes the call `func(*args, **kwargs)` and compares it. If the call raises, the exception propagates.
  nb::object call(nb::handle func, nb::handle args, nb::handle kwargs) {
    if (busy_) {  // a call is still being made: by another thread, or it made this call
      session_.skip(nullptr, nb::cast<std::string>(nb::str(func)), "made during another call", 1);
      return made_plainly(func, args, kwargs);
    }
    busy_ = true;
    struct Done {
      bool& busy;
      ~Done() { busy = false; }
    } done{busy_};
    TorchOperator& known = find(func);
    if (known.has_parts) {
      busy_ = false;
      return own_calls.attr("by_parts")(func, args, kwargs);
    }
    const char* why = known.op ? begin(known, args.ptr(), kwargs.ptr()) : known.why.c_str();
    if (known.is_own && (!known.op || (why && std::string_view(why).starts_with("dtype "))))
      return by_record(func, args, kwargs);
    const nb::object watch = why ? nb::none() : watched(known, args, kwargs);
    PyObject* const result =
        made_call(watch.is_none() ? func : nb::handle(watch), args, kwargs, why || has_complex(values_));
    Seen seen;
    if (!watch.is_none()) {
      RaisedException raised;
      seen.rewritten = nb::cast<std::vector<int>>(watch.attr("changed")());
      if (result) {
        for (const auto& [flat, untouched, of] :
             nb::cast<std::vector<std::array<int64_t, 3>>>(watch.attr("unwritten")(nb::handle(result)))) {
          seen.unwritten.push_back({.argument = static_cast<int>(flat), .untouched = untouched, .of = of});
        }
      }
      raised.raise_again();
    }
    if (!result) {
      RaisedException raised;
      if (why)
        skip(known, why, 1);
      else
        end_raised(known, raised, std::move(seen));
      raised.raise_again();
      throw nb::python_error();
    }
    nb::object out = nb::steal(result);
    end(known, why, result, std::move(seen));
    return out;
  }

  /// Counts a call that the dispatch mode did not get.
  void count_unseen(const std::string& name, const std::string& why) {
    const auto lock = alone();
    session_.skip(nullptr, name, why, 1);
  }

  /// Adds counts, and findings in compiled graphs or in inputs of their runs. Null `report`: nothing was compared.
  void add_compiled(const ReportObject* report, int64_t graphs, int64_t nodes, int64_t runs, int64_t inputs) {
    const auto lock = alone();
    session_.compiled.add(report ? report->report() : Report(), {graphs, nodes, runs, inputs});
  }

  /// Adds a finding about an input of a run of compiled code.
  void add_compiled_finding(const FindingObject& finding) {
    Report found;
    found.results = found.compared = found.mismatched = 1;
    found.findings.push_back(finding.finding);
    const auto lock = alone();
    session_.compiled.add(found, {});
  }

  static constexpr int kJudgedWithin = 1, kFake = 2;

  /// Counts a call on tensors of class `type` (None: no subclass). `modes`: other dispatch modes are active; `fake`:
  /// one is a fake mode. Returns kFake if the call computes nothing, kJudgedWithin if the calls that it makes are
  /// compared instead, 0 if it is an ordinary call.
  int subclass(nb::handle type, const std::string& name, bool modes, bool fake) {
    fake |= !type.is_none() && type.is(fake_type_);
    // Another mode handles the call first, and makes it again.
    if (!fake && (type.is_none() || modes)) return 0;
    const auto lock = alone();
    session_.count_subclass(fake ? "FakeTensor" : nb::cast<std::string>(type.attr("__name__")), name);
    return fake ? kFake : kJudgedWithin;
  }

  /// Returns the report on all calls so far.
  ReportObject report(const std::string& input) {
    session_.note_rank();
    auto live = std::make_shared<const tools::LiveReport>(session_.told(input));
    ReportParts parts{live->document(), live->report, live->times, -1};
    parts.document.page = [live] { return live->html(); };
    return ReportObject(std::move(parts));
  }

  tools::LiveSession& session() { return session_; }
  /// Locks the session for this thread. While it waits, the GIL is released, because the owner of the lock may need it.
  std::unique_lock<std::mutex> alone() {
    std::unique_lock lock(interface_mutex_, std::try_to_lock);
    if (lock.owns_lock()) return lock;
    if (!PyGILState_Check()) return std::unique_lock(interface_mutex_);
    const nb::gil_scoped_release others;
    return std::unique_lock(interface_mutex_);
  }

  /// Returns the functions through which the glue reports its calls. They are valid as long as this session.
  const ErsatzLive* interface() {
    interface_ = {sizeof(ErsatzLive),
                  ERSATZ_LIVE_ABI,
                  ersatz_ask(ERSATZ_ASK_ABI),
                  this,
                  watched_bytes,
                  kWatchedCalls,
                  judge_callback,
                  own_callback,
                  in_python_callback,
                  put_aside_callback,
                  raise_again_callback,
                  skip_callback,
                  subclass_callback,
                  device_callback};
    return &interface_;
  }
  nb::object where_function = nb::none();
  uint64_t watched_bytes = 0;  ///< largest storage that is checked, in bytes; 0: none is checked
  /// An object that calls fake kernels, checks bytes and decomposes composites (ersatz/torch/own_calls.py).
  nb::object own_calls = nb::none();
  nb::object groups = nb::none();  ///< finds groups and rank (ersatz/torch/recording/groups.py)

 private:
  static constexpr int kWatchedCalls = 3;  ///< the number of calls of each operator whose bytes are checked
  /// Observations of the memory of a call.
  struct Seen {
    std::vector<int> rewritten;
    std::vector<RecordedBytes> unwritten;
  };

  static CrosscheckOptions options(const std::string& waivers, bool strides, bool stop_at_first) {
    CrosscheckOptions options;
    options.strides = strides;
    options.stop_at_first = stop_at_first;
    if (!waivers.empty()) options.waivers = Waivers::parse(read_file(waivers), waivers);
    return options;
  }

  static int judge_callback(void* self, const ErsatzLiveCall* call) {
    auto& to = *static_cast<TorchCrosscheck*>(self);
    const auto* op = reinterpret_cast<const OpEntry*>(call->op);
    const auto lock = to.alone();
    try {
      tools::LiveOutcome outcome;
      outcome.results = {call->results, call->result_count};
      RuleContext context;
      context.default_dtype = dtype_from_c(call->default_dtype).value_or(DType::F32);
      context.torch = to.torch_.running();
      if (!to.session_.begin(*op, {call->arguments, call->argument_count}, context.default_dtype)) {
        to.session_.skip(op, op->name, "arguments", tools::results_that_count(outcome.results));
        return 0;
      }
      outcome.after = {call->after, call->tensor_count};
      outcome.versions_before = {call->versions_before, call->tensor_count};
      outcome.versions_after = {call->versions_after, call->tensor_count};
      outcome.error = call->error;
      outcome.message = call->message;
      outcome.rewritten.assign(call->rewritten, call->rewritten + call->rewritten_count);
      for (uint32_t i = 0; i < call->unwritten_count; ++i) {
        const ErsatzUnwritten& u = call->unwritten[i];
        outcome.unwritten.push_back({.argument = u.result, .untouched = u.untouched, .of = u.of});
      }
      to.session_.end(*op, context, outcome);
      return 0;
    } catch (const Error& e) {
      return e.kind == ErrorKind::MetadataMismatch;
    } catch (...) {
      return 0;  // out of memory: the call is not compared, and the program goes on
    }
  }

  static const ErsatzOpEntry* own_callback(void* self, const char* name, const char* schema, const char** why) {
    auto& to = *static_cast<TorchCrosscheck*>(self);
    const auto lock = to.alone();
    std::string text;
    const OpEntry* const op = to.session_.own.entry(name, schema, text);
    if (!op) *why = to.reasons_.insert(text).first->c_str();
    return reinterpret_cast<const ErsatzOpEntry*>(op);
  }

  static void in_python_callback(void* self, int enter) {
    auto& to = *static_cast<TorchCrosscheck*>(self);
    const nb::gil_scoped_acquire gil;
    if (to.own_calls.is_none()) return;
    const ExceptionAside of_the_call;
    try {
      to.own_calls.attr(enter ? "enter" : "leave")();
    } catch (nb::python_error& e) {
      e.discard_as_unraisable("entering or leaving the dispatch mode of a live crosscheck");
    }
  }

  struct AsideException {
    RaisedException raised;
    std::string message;
  };

  static void* put_aside_callback(void*, const char** error, const char** message) {
    const nb::gil_scoped_acquire gil;
    if (!PyErr_Occurred()) return nullptr;
    auto* const aside = new AsideException;
    try {
      std::tie(*error, aside->message) = family_of(aside->raised.type(), aside->raised.value());
    } catch (nb::python_error&) {  // making the exception's text raised another exception
      *error = nullptr;
    }
    *message = aside->message.c_str();
    return aside;
  }

  static void raise_again_callback(void*, void* exception) {
    const nb::gil_scoped_acquire gil;
    const std::unique_ptr<AsideException> aside(static_cast<AsideException*>(exception));
    aside->raised.raise_again();
  }

  /// Compares a call that only a record can describe. The Python recorder calls the author's fake kernel.
  nb::object by_record(nb::handle func, nb::handle args, nb::handle kwargs) {
    const nb::object answer = own_calls.attr("by_record")(func, args, kwargs, watched_bytes);
    const std::string line = nb::cast<std::string>(answer[2]), why = nb::cast<std::string>(answer[3]);
    const std::string name = nb::cast<std::string>(nb::str(func));
    if (line.empty())
      session_.skip(nullptr, name, why, 1);
    else
      session_.judge_record(name, line, why);
    const nb::object error = answer[1];
    if (error.is_none()) return answer[0];
    PyErr_SetObject(error.type().ptr(), error.ptr());
    throw nb::python_error();
  }

  static void skip_callback(void* self, const ErsatzOpEntry* op, const char* name, const char* why, uint32_t results) {
    auto& to = *static_cast<TorchCrosscheck*>(self);
    const auto lock = to.alone();
    to.session_.skip(reinterpret_cast<const OpEntry*>(op), name, why, results);
  }

  static int subclass_callback(void* self, const char* name, void* object) {
    if (!object) return 0;
    const nb::gil_scoped_acquire gil;
    const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(static_cast<PyObject*>(object))));
    return static_cast<TorchCrosscheck*>(self)->subclass(type, name, false, false);
  }

  static int device_callback(void* self, const char* name, int32_t number, int free, ErsatzDevice* to) {
    const std::optional<Device> found =
        static_cast<TorchCrosscheck*>(self)->session_.devices.find(name, number, free != 0);
    if (found) *to = to_c(*found);
    return found.has_value();
  }

  TorchOperator& find(nb::handle func) {
    const auto [at, is_new] = operators_.try_emplace(func.ptr());
    TorchOperator& o = at->second;
    if (!is_new) return o;
    o.object = nb::borrow(func);
    o.name = nb::cast<std::string>(nb::str(func));
    o.op = registry().find(o.name);
    if (o.op) return o;
    o.why = "no such operator here";
    const nb::object schema = nb::getattr(func, "_schema", nb::none());
    if (schema.is_none())
      o.why = "a higher-order operator: calls in it are not seen by a mode of Python, but by the glue";
    if (schema.is_none() || own_calls.is_none()) return o;
    o.has_parts = nb::cast<bool>(own_calls.attr("has_parts")(func));
    o.is_own = !o.has_parts && !tools::is_pytorchs(o.name);
    if (!o.has_parts) o.op = session_.own.entry(o.name, nb::cast<std::string>(nb::str(schema)), o.why);
    return o;
  }

  tools::FakeKernelAnswer asked(const std::string& record, bool has_returned) {
    const nb::gil_scoped_acquire gil;
    if (own_calls.is_none()) return {"", "nobody asks its fake kernel", false};
    try {
      return fake_kernel_answer(own_calls.attr("predict")(record, has_returned));
    } catch (nb::python_error& e) {
      hand_on_interruption(e);
      return {"", fmt::format("asking its fake kernel failed: {}", e.what()), false};
    }
  }

  std::optional<tools::OwnPrediction> asked_on_meta(const OpEntry& op, const AskedCall& call) {
    const nb::gil_scoped_acquire gil;
    if (own_calls.is_none()) return std::nullopt;
    try {
      const auto [at, is_new] = fakes_.try_emplace(&op, nb::none());
      if (is_new) at->second = own_calls.attr("with_fake")(op.name);
      if (at->second.is_none()) return std::nullopt;
      if (!meta_calls_) meta_calls_.emplace(torch_);
      std::optional<tools::OwnPrediction> said;
      meta_calls_->make(at->second, op, call,
                        [&](const tools::LiveOutcome& o) { said = tools::prediction_of(op, call, o); });
      return said;
    } catch (nb::python_error& e) {
      hand_on_interruption(e);
      return std::nullopt;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  /// Returns the Python object that compares the bytes of the arguments before and after a call. Only the first calls
  /// of each operator are checked; None for later calls.
  nb::object watched(TorchOperator& known, nb::handle args, nb::handle kwargs) {
    if (!watched_bytes || !session_.predicted() || known.watched >= kWatchedCalls) return nb::none();
    ++known.watched;
    return own_calls.attr("watch")(known.object, args, kwargs, watched_bytes);
  }

  /// Gives the session the arguments. Returns null, or the reason why the call cannot be compared.
  const char* begin(const TorchOperator& known, PyObject* args, PyObject* kwargs) {
    const tools::LiveDevices::Scope scope(session_.devices);
    arguments_.clear();
    const bool own = session_.own.has(known.op);
    const char* const why = arguments_.bind(known.op->schema, args, kwargs, values_);
    if (why) return why;
    if (!session_.begin(*known.op, values_, own ? torch_.default_dtype() : DType::F32)) return "arguments";
    versions_.clear();
    for (PyObject* t : arguments_.tensors()) versions_.push_back(torch_.version(t));
    return nullptr;
  }

  void note_after() {
    after_.clear();
    after_metas_.clear();
    versions_after_.clear();
    for (PyObject* t : arguments_.tensors()) {
      const ErsatzValue v = after_.value(t);
      if (v.kind != ERSATZ_TENSOR) return;
      after_metas_.push_back(v.as.meta);
      versions_after_.push_back(torch_.version(t));
    }
  }

  void end(const TorchOperator& known, const char* why, PyObject* result, Seen seen) {
    const tools::LiveDevices::Scope scope(session_.devices);
    results_.clear();
    results_.flatten(result);
    if (!why && results_.subclass()) {  // the calls inside were compared instead
      const nb::handle type(reinterpret_cast<PyObject*>(results_.subclass()));
      if (subclass(type, known.name, false, false)) return;
    }
    if (!why) why = results_.opaque();
    if (!why) {
      note_after();
      why = after_.opaque();
    }
    if (why) return skip(known, why, results_.results());
    tools::LiveOutcome outcome;
    outcome.rewritten = std::move(seen.rewritten);
    outcome.unwritten = std::move(seen.unwritten);
    // A call of an operator without results returns None.
    const bool none = known.op->schema.returns.empty();
    outcome.results = none ? std::span<const ErsatzValue>() : results_.flat();
    finish(known, outcome);
  }

  void end_raised(const TorchOperator& known, const RaisedException& raised, Seen seen) {
    const auto [family, message] = family_of(raised.type(), raised.value());
    if (!family) return skip(known, "exception of another class", 1);
    const tools::LiveDevices::Scope scope(session_.devices);
    note_after();
    tools::LiveOutcome outcome;
    outcome.rewritten = std::move(seen.rewritten);
    outcome.error = family;
    outcome.message = message;
    finish(known, outcome);
  }

  void finish(const TorchOperator& known, tools::LiveOutcome& outcome) {
    outcome.after = after_metas_;
    outcome.versions_before = versions_;
    outcome.versions_after = versions_after_;
    session_.end(*known.op, torch_.context(), outcome);
  }

  void skip(const TorchOperator& known, const char* why, size_t results) {
    session_.skip(known.op, known.name, why, results);
  }

  const TorchLibrary& torch_;
  tools::LiveSession session_;
  TorchValues arguments_, results_, after_;
  std::unordered_map<PyObject*, TorchOperator> operators_;
  std::unordered_map<const OpEntry*, nb::object> fakes_;  ///< fake kernels of custom operators; None: it has none
  std::optional<MetaCalls> meta_calls_;
  std::vector<ErsatzValue> values_;
  std::vector<const ErsatzTensorMeta*> after_metas_;
  std::vector<int64_t> versions_, versions_after_;
  const nb::object fake_type_ = nb::module_::import_("torch._subclasses.fake_tensor").attr("FakeTensor");
  bool busy_ = false;
  std::mutex interface_mutex_;     ///< locks calls of the interface, which come from any thread
  std::set<std::string> reasons_;  ///< storage for the reasons why operators are not compared
  ErsatzLive interface_ = {};
};

}  // namespace

void bind_live(nb::module_& m) {
  bind_live_gradients(nb::class_<TorchCrosscheck>(m, "TorchCrosscheck", "The session of a live crosscheck of PyTorch."))
      .def(nb::init<const std::string&, bool, bool, std::vector<std::string>, const std::string&>(),
           nb::arg("waivers") = "", nb::arg("strides") = true, nb::arg("stop_at_first") = false,
           nb::arg("exclude") = std::vector<std::string>(), nb::arg("device") = "")
      .def("call", &TorchCrosscheck::call, nb::arg("func"), nb::arg("args"), nb::arg("kwargs"))
      .def("count_unseen", &TorchCrosscheck::count_unseen, nb::arg("name"), nb::arg("why"))
      .def("add_compiled", &TorchCrosscheck::add_compiled, nb::arg("report").none(), nb::kw_only(),
           nb::arg("graphs") = 0, nb::arg("nodes") = 0, nb::arg("runs") = 0, nb::arg("inputs") = 0)
      .def("add_compiled_finding", &TorchCrosscheck::add_compiled_finding, nb::arg("finding"))
      .def("subclass", &TorchCrosscheck::subclass, nb::arg("type").none(), nb::arg("name"), nb::arg("modes"),
           nb::arg("fake"))
      .def("note_rank", [](TorchCrosscheck& c) { c.session().note_rank(); })
      .def(
          "interface", [](TorchCrosscheck& c) { return reinterpret_cast<uint64_t>(c.interface()); },
          "Address of the session's ErsatzLive (live_interface.h).")
      .def_rw("where", &TorchCrosscheck::where_function)
      .def_rw("own_calls", &TorchCrosscheck::own_calls)
      .def_rw("groups", &TorchCrosscheck::groups)
      .def_rw("watched_bytes", &TorchCrosscheck::watched_bytes)
      .def("closing_line", [](TorchCrosscheck& c) { return c.session().closing(); })
      .def("report", &TorchCrosscheck::report, nb::arg("input"), "The report on all calls up to now.");
}

}  // namespace ersatz::python
