// ersatz.torch.fake: computes the metadata of every node of a torch.fx graph.
//
// The graph is converted once (torch_program.h), and then runs on fakes like a program from a file
// (tracer/run/interpreter.h). The results of all nodes are kept. They become Python objects when they are asked for.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "fake/ask/asked_call.h"
#include "fake/mode/data_dependent_symbols.h"
#include "python/module/fake_kernel_answer.h"
#include "python/module/tensor_object.h"
#include "python/module/torch_program.h"
#include "python/module/values.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"
#include "tools/live/own_ops.h"
#include "tracer/records/record_print.h"
#include "tracer/run/interpreter.h"

namespace ersatz::python {
namespace {

/// The results of one run of a graph.
struct TorchMetadata {
  std::shared_ptr<const TorchProgram> of;
  std::vector<Value> values;                    ///< indexed by ValueId
  std::map<std::string, std::string> recorded;  ///< name of a node whose recorded metadata were used -> the reason
  /// Name of a node whose results a custom operator's fake kernel predicted -> the operator.
  std::map<std::string, std::string> by_fake;
  int64_t answered = 0;

  Value value(const Arg& a) const {
    switch (a.kind) {
      case Arg::Kind::Value:
        return values[a.index];
      case Arg::Kind::Literal:
        return of->program.literal(a);
      case Arg::Kind::List: {
        std::vector<Value> items;
        for (const Arg& item : of->program.list(a)) items.push_back(value(item));
        return Value::list(items);
      }
      default:
        return {};
    }
  }
  const Arg& place(const std::string& node) const {
    const Arg* const at = of->place(node);
    if (!at) throw nb::key_error(node.c_str());
    return *at;
  }
};

std::string meta_text(const Value& v) {
  if (v.is_tensor()) return to_string(v.tensor_impl()->meta);
  if (v.kind() != Value::Kind::List) return to_string(v);
  std::string text = "[";
  for (const Value& item : v.as_list()) text += (text.size() > 1 ? ", " : "") + meta_text(item);
  return text + "]";
}

/// Converts inputs to fakes of the run. Tensors that share a storage share one among the fakes too.
class RunInputs {
 public:
  RunInputs(const TorchLibrary& torch, const TorchFakes& fakes, const FakeMode& mode, std::optional<Device> device)
      : values_(torch, &fakes), mode_(mode), device_(device) {}

  /// Converts one input. RAISES InvalidArgument, with the reason, if the object cannot be used.
  Value value(nb::handle o) {
    if (PyUnicode_Check(o.ptr())) {
      const MetaText parsed = parse_meta_text(nb::cast<std::string>(o));
      return Value(mode_.make(placed(parsed.meta), parsed.storage_bytes));
    }
    if (const Tensor* ours = tensor_in(o.ptr())) {
      return Value(mode_.make(placed(ours->meta()), ours->storage()->nbytes()));
    }
    if (PyTuple_Check(o.ptr()) || PyList_Check(o.ptr())) {
      std::vector<Value> items;
      for (nb::handle item : o) items.push_back(value(item));
      return Value::list(items);
    }
    values_.clear();
    const ErsatzValue v = values_.value(o.ptr());
    if (values_.opaque()) fail_argument("{} cannot be told", values_.opaque());
    return v.kind == ERSATZ_TENSOR ? Value(tensor(*v.as.meta)) : value_from_c(v);
  }

  /// Returns a fake with the metadata that a fake kernel predicted for a new tensor. Tensors with equal storage numbers
  /// share a storage.
  Tensor made(const RecordedTensor& t, std::map<int64_t, Ref<Storage>>& storages) const {
    Ref<Storage>& storage = storages[t.storage];
    if (!storage) storage = Storage::make_fake(SymInt(t.nbytes), t.meta.device);
    return mode_.make_on(storage, t.meta);
  }

 private:
  TensorMeta placed(TensorMeta meta) const {
    meta.device = resolve(device_.value_or(meta.device));
    return meta;
  }
  Tensor tensor(const ErsatzTensorMeta& t) {
    TensorMeta meta = placed(meta_of(t));
    Ref<Storage>& storage = storages_[t.storage];
    if (!storage) storage = Storage::make_fake(SymInt(t.storage_bytes), meta.device);
    return mode_.make_on(storage, std::move(meta));
  }

  TorchValues values_;
  const FakeMode& mode_;
  std::optional<Device> device_;
  std::unordered_map<uint64_t, Ref<Storage>> storages_;
};

/// Runs nodes and keeps their results. If a node cannot be predicted, its recorded metadata are used.
class KeepingHandler final : public NodeHandler {
 public:
  /// `own` has the operators that ersatz lacks, and calls their fake kernels.
  KeepingHandler(TorchMetadata& to, RunInputs& inputs, tools::OwnOps& own, bool keep_going)
      : to_(to), inputs_(inputs), own_(own), keep_going_(keep_going) {}

  const Interpreter* interpreter = nullptr;

  void call(const NodeCall& call, std::span<Values> results) override {
    running_ = call.id;
    try {
      dispatch(*call.step.entry, call.lanes[0], results[0]);
      if (call.step.entry->returns_list) cut(call, results[0]);
    } catch (const Error& e) {
      if (!keep_going_ || e.kind == ErrorKind::InternalError) throw;
      stand_in(call, e.message, results[0]);
    }
  }

  void uncallable(const NodeCall& call, std::span<Values> results) override {
    running_ = call.id;
    std::string missing;
    for (const std::string& op : call.prepared.missing_ops(call.id)) missing += (missing.empty() ? "" : ", ") + op;
    if (missing.empty()) missing = call.op_name();
    const bool higher = call.program().op(call.node()).kind == ProgramOp::Kind::HigherOrder;
    std::string why = fmt::format("there is no operator {}", missing);
    if (own_.ask && !higher) {
      const std::string unasked = ask_fake(call, results[0]);
      if (unasked.empty()) return;
      why += "; " + unasked;
    }
    if (!keep_going_ && !higher) {
      fail(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented,
           "{}; load_plugin registers those of a library, keep_going goes on from what is recorded", why);
    }
    stand_in(call, why, results[0]);
  }

  void faulty(const NodeCall& call, const Error& error, std::span<Values> results) override {
    running_ = call.id;
    if (!keep_going_) throw error;
    stand_in(call, error.message, results[0]);
  }

  void done(const NodeCall& call) override {
    ++to_.answered;
    const Program& program = call.program();
    for (const Arg& a : program.view(call.node().results)) {
      if (a.kind == Arg::Kind::Value) keep(a.index);
      if (a.kind != Arg::Kind::List) continue;
      for (const Arg& item : program.list(a)) keep(item.index);
    }
  }

  /// Adds the source line of the node that raised to its error.
  void locate(Error& e) const {
    if (running_ == kNone) return;
    const nb::gil_scoped_acquire gil;
    const std::string at = line_of(to_.of->nodes[running_]);
    const std::string node =
        fmt::format("node {}: ", to_.of->program.name(to_.of->program.main().nodes[running_].name));
    if (at.empty() || e.message.rfind(node, 0) != 0) return;
    e.source = at;
    e.message = fmt::format("{} ({}): {}", node.substr(0, node.size() - 2), at, e.message.substr(node.size()));
  }

 private:
  void keep(ValueId id) { to_.values[id] = interpreter->value(id); }

  /// Shortens a list whose length is not known to the items that the graph uses.
  void cut(const NodeCall& call, Values& results) {
    const auto names = call.program().view(call.node().results);
    for (size_t i = 0; i < results.size() && i < names.size(); ++i) {
      if (names[i].kind != Arg::Kind::List || results[i].kind() != Value::Kind::List) continue;
      const size_t n = call.program().list(names[i]).size();
      const std::span<const Value> all = results[i].as_list();
      if (n < all.size()) results[i] = Value::list(std::vector<Value>(all.begin(), all.begin() + static_cast<long>(n)));
    }
  }

  /// Calls the fake kernel that the operator's author registered in Python. Returns the reason if it gives no
  /// prediction.
  std::string ask_fake(const NodeCall& call, Values& results) {
    const nb::gil_scoped_acquire gil;
    if (&call.prepared.graph() != &to_.of->program.main())
      return "it is in a nested graph, where no fake kernel is asked";
    const nb::object target = to_.of->nodes[call.id].attr("target");
    const nb::object schema = nb::getattr(target, "_schema", nb::none());
    if (schema.is_none()) return "it has no schema";
    std::string why;
    const std::string name = nb::cast<std::string>(nb::str(target));
    const OpEntry* const op = own_.entry(name, nb::cast<std::string>(nb::str(schema)), why);
    if (!op) return why;
    const std::vector<Value> arguments = complete(*op, call);
    CallRecord record;
    try {
      record = record_arguments(*op, arguments, 0);
    } catch (const Error& e) {  // the metadata have symbolic sizes
      return e.message;
    }
    const tools::OwnPrediction said = own_.asked(*op, record);
    if (!said.outcome) return said.by_data ? "its fake kernel makes sizes from data" : said.why;
    std::vector<Tensor> tensors;
    add_tensors(arguments, tensors);
    std::map<int64_t, Ref<Storage>> storages;
    for (size_t i = 0; i < tensors.size(); ++i) storages.emplace(record.tensors[i].storage, tensors[i].storage());
    std::vector<Value> flat;
    for (const RecordedResult& r : said.outcome->results) {
      const bool is_tensor = r.kind == RecordedResult::Kind::Tensor;
      flat.push_back(!is_tensor         ? r.number
                     : r.tensor.is >= 0 ? Value(tensors[static_cast<size_t>(r.tensor.is)])
                                        : Value(inputs_.made(r.tensor, storages)));
    }
    const size_t n = call.node().results.count;
    const bool one_list = n == 1 && call.program().view(call.node().results)[0].kind == Arg::Kind::List;
    if (one_list) {
      results.push_back(Value::list(flat));
    } else {
      if (flat.size() < n) return fmt::format("it returns {} results, the graph takes {}", flat.size(), n);
      for (size_t i = 0; i < n; ++i) results.push_back(flat[i]);
    }
    to_.by_fake.emplace(std::string(call.name()), name);
    return "";
  }

  static void add_tensors(std::span<const Value> values, std::vector<Tensor>& to) {
    for (const Value& v : values) {
      if (v.is_tensor()) to.push_back(v.tensor());
      if (v.kind() == Value::Kind::List) add_tensors(v.as_list(), to);
    }
  }

  /// Returns the arguments of a node in schema order, with defaults.
  std::vector<Value> complete(const OpEntry& op, const NodeCall& call) const {
    const std::vector<Argument>& schema = op.schema.arguments;
    std::vector<Value> values;
    for (const Argument& a : schema) values.push_back(a.default_value.value_or(Value()));
    size_t at = 0;
    for (const Arg& a : call.program().view(call.node().args)) {
      const int named = a.name ? op.schema.find_argument(call.program().name(a.name)) : static_cast<int>(at++);
      if (named < 0 || static_cast<size_t>(named) >= values.size()) fail_argument("{}: another schema", op.name);
      values[static_cast<size_t>(named)] = argument(call.program(), a);
    }
    return values;
  }
  Value argument(const Program& program, const Arg& a) const {
    if (a.kind == Arg::Kind::Value) return interpreter->value(a.index);
    if (a.kind == Arg::Kind::Literal) return program.literal(a);
    std::vector<Value> items;
    if (a.kind == Arg::Kind::List) {
      for (const Arg& item : program.list(a)) items.push_back(argument(program, item));
      return Value::list(items);
    }
    return {};
  }

  void stand_in(const NodeCall& call, const std::string& why, Values& results) {
    const nb::gil_scoped_acquire gil;
    // The node's recorded metadata become its results. Only nodes of the main graph have recorded metadata. For a node
    // of a nested graph this raises, and the higher-order node that runs that graph gets its own recorded metadata
    // instead.
    if (&call.prepared.graph() != &to_.of->program.main())
      fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{}", why);
    results.clear();
    const size_t n = call.node().results.count;
    if (n > 0) {
      const nb::object recorded = recorded_value(to_.of->nodes[call.id]);
      if (recorded.is_none()) {
        fail(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented,
             "{}, and nothing is recorded of what it returns", why);
      }
      const bool several = (PyTuple_Check(recorded.ptr()) || PyList_Check(recorded.ptr()));
      const bool one_list = n == 1 && call.program().view(call.node().results)[0].kind == Arg::Kind::List;
      for (size_t i = 0; i < n; ++i) {
        results.push_back(inputs_.value(several && !one_list ? nb::object(recorded[i]) : recorded));
      }
    }
    to_.recorded.emplace(std::string(call.name()), why);
  }

  TorchMetadata& to_;
  RunInputs& inputs_;
  tools::OwnOps& own_;
  const bool keep_going_;
  NodeId running_ = kNone;
};

class TorchGraph {
 public:
  TorchGraph(nb::handle graph, nb::handle module, const nb::dict& given)
      : torch_(TorchLibrary::get()), fakes_(torch_), program_(std::make_shared<TorchProgram>()) {
    TorchProgramReader(torch_, fakes_, *program_).read(graph, module, given);
    for (const ProgramOp& op : program_->program.ops) {
      data_decides_ |= op.entry && tells_of_data(*op.entry);
    }
  }

  /// Sets the function that calls fake kernels. `predict` is OwnCalls.predict (ersatz/torch/own_calls.py).
  void ask_fakes(nb::object predict) {
    own_.ask = [predict = std::move(predict)](const std::string& record, bool has_returned) {
      const nb::gil_scoped_acquire gil;
      return fake_kernel_answer(predict(record, has_returned));
    };
  }

  size_t nodes() const { return program_->entries.size(); }
  const std::vector<std::string>& left_out() const { return program_->left_out; }

  /// Runs the graph. `given` has values of placeholders by name, which replace the recorded ones.
  TorchMetadata run(const std::optional<std::string>& device_text, bool keep_going, const nb::dict& given) {
    std::optional<Device> device;
    if (device_text) {
      device = parse_device(*device_text);
      if (!device) fail_argument("there is no device '{}'", *device_text);
      device = resolve(*device);
    }
    prepare(device);
    FakeOptions options;
    if (data_decides_) options.shape_env = program_->program.env;
    options.static_shapes = true;
    const FakeMode mode(std::move(options));
    RunInputs inputs(torch_, fakes_, mode, device);
    TorchMetadata answer;
    answer.of = program_;
    answer.values.resize(program_->program.main().values.size());
    std::vector<Value> values;
    for (size_t i = 0; i < program_->inputs.size(); ++i) {
      values.push_back(input(program_->inputs[i], inputs, given));
      answer.values[program_->program.main().inputs[i].value] = values.back();
    }
    KeepingHandler handler(answer, inputs, own_, keep_going);
    Interpreter interpreter(*prepared_, &handler);
    handler.interpreter = &interpreter;
    const RuleContext context = torch_.context();
    const nb::gil_scoped_release released;
    const ContextGuard guard([&](RuleContext& c) { c = context; });
    const FakeScope scope(mode);
    try {
      interpreter.run(values);
    } catch (Error& e) {
      handler.locate(e);
      throw;
    }
    return answer;
  }

 private:
  void prepare(std::optional<Device> device) {
    if (prepared_ && device == prepared_for_) return;
    PrepareOptions options;
    options.device = device;
    prepared_ = std::make_unique<PreparedProgram>(program_->program, options);
    prepared_for_ = device;
  }

  static Value input(const TorchInput& in, RunInputs& inputs, const nb::dict& given) {
    PyObject* const other = PyDict_GetItemString(given.ptr(), in.name.c_str());
    nb::object object = other ? nb::borrow(other) : in.value;
    if (object.is_none()) object = recorded_value(in.node);
    try {
      return inputs.value(object);
    } catch (const Error& e) {
      fail_argument("input {}: {}", in.name, e.message);
    }
  }

  const TorchLibrary& torch_;
  const TorchFakes fakes_;
  std::shared_ptr<TorchProgram> program_;
  std::unique_ptr<PreparedProgram> prepared_;
  std::optional<Device> prepared_for_;
  tools::OwnOps own_;
  bool data_decides_ = false;
};

}  // namespace

void bind_torch_graph(nb::module_& m) {
  nb::class_<TorchMetadata>(m, "TorchMetadata", "The answers of a run of a graph of torch.fx.")
      .def("names",
           [](const TorchMetadata& t) {
             std::vector<std::string> names;
             for (const auto& [name, place] : t.of->entries) names.push_back(name);
             return names;
           })
      .def("value",
           [](const TorchMetadata& t, const std::string& node) { return nb::steal(object_of(t.value(t.place(node)))); })
      .def("meta", [](const TorchMetadata& t, const std::string& node) { return meta_text(t.value(t.place(node))); })
      .def_ro("recorded", &TorchMetadata::recorded)
      .def_ro("by_fake", &TorchMetadata::by_fake)
      .def_ro("answered", &TorchMetadata::answered);
  nb::class_<TorchGraph>(m, "TorchGraph", "A graph of torch.fx as a list of calls.")
      .def(nb::init<nb::handle, nb::handle, nb::dict>(), nb::arg("graph"), nb::arg("module"), nb::arg("given"))
      .def("ask_fakes", &TorchGraph::ask_fakes, nb::arg("predict"))
      .def_prop_ro("nodes", &TorchGraph::nodes)
      .def_prop_ro("left_out", &TorchGraph::left_out)
      .def("run", &TorchGraph::run, nb::arg("device").none(), nb::arg("keep_going"), nb::arg("given"));
}

}  // namespace ersatz::python
