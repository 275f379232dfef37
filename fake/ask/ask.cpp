#include "fake/ask/ask.h"

#include <deque>
#include <map>
#include <mutex>

#include "fake/ask/asked_call.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/base/version.h"
#include "runtime/op/dispatch.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/layout.h"

using ersatz::OpEntry;

struct ErsatzAsker {
  ersatz::FakeMode mode;
  ersatz::AskedCall call{mode};
  std::vector<ErsatzResult> results;
  std::vector<ErsatzWritten> written;
  std::deque<std::vector<int64_t>> dims;       ///< sizes, strides and lists of integers that the answer points to
  std::deque<std::vector<ErsatzValue>> items;  ///< items of lists that the answer points to
  std::deque<std::string> strings;
  std::vector<ersatz::Tensor> kept;  ///< results; they are kept so that no new storage gets the id of a storage in the
                                     ///< answer
  ersatz::Error error{ersatz::ErrorKind::InvalidArgument, ersatz::ErrorFamily::Runtime, ""};

  void clear() {
    results.clear();
    written.clear();
    dims.clear();
    items.clear();
    strings.clear();
    kept.clear();
  }
};

namespace ersatz {
namespace {

ErsatzOpEntry* hidden(const OpEntry* op) { return reinterpret_cast<ErsatzOpEntry*>(const_cast<OpEntry*>(op)); }
const OpEntry& shown(const ErsatzOpEntry* op) { return *reinterpret_cast<const OpEntry*>(op); }

/// Stores the parts of an answer in the asker's memory.
class Answering {
 public:
  Answering(ErsatzAsker& asker, const OpEntry& op) : asker_(asker), op_(op) {}

  void by_rule(RuleResult& rule) {
    for (const OutputSpec& o : rule.outputs) {
      switch (o.kind) {
        case OutputSpec::Kind::None:
          add(ERSATZ_RESULT_NONE);
          break;
        case OutputSpec::Kind::Number:
          add(ERSATZ_RESULT_VALUE).value = value(o.number);
          break;
        case OutputSpec::Kind::Fresh:
          add_tensor(ERSATZ_RESULT_FRESH, -1, o.meta, 0, storage_bytes_needed(o.meta)).unknown_layout =
              o.unknown_layout;
          break;
        case OutputSpec::Kind::View:
          add_shared(ERSATZ_RESULT_VIEW, o.source, o.meta);
          break;
        case OutputSpec::Kind::Same:
          add_shared(ERSATZ_RESULT_ARGUMENT, o.source, o.meta);
          if (o.metadata_changed) changed(o.source, o.meta);
          break;
      }
    }
    write_declared();
    for (TensorImpl* t : rule.also_written) write(t);
  }

  void by_results(const Values& results) {
    for (const Value& v : results) {
      if (v.kind() == Value::Kind::List && op_.schema.returns[&v - results.data()].type.base == BaseType::Tensor) {
        for (const Value& item : v.as_list()) by_result(item);
      } else {
        by_result(v);
      }
    }
    write_declared();
    for (size_t i = 0; i < asker_.call.tensors().size(); ++i) {
      const TensorMeta& now = asker_.call.tensors()[i].meta();
      if (!(now == meta_of(asker_.call.tensor_meta(i)))) changed(asker_.call.tensors()[i].impl(), now);
    }
  }

 private:
  void by_result(const Value& v) {
    if (v.is_none()) return void(add(ERSATZ_RESULT_NONE));
    if (!v.is_tensor()) return void(add(ERSATZ_RESULT_VALUE).value = value(v));
    const Tensor t = v.tensor();
    asker_.kept.push_back(t);
    if (asker_.call.number_of(t.impl()) >= 0) return add_shared(ERSATZ_RESULT_ARGUMENT, t.impl(), t.meta());
    for (const Tensor& argument : asker_.call.tensors()) {
      if (argument.shares_storage(t)) return add_shared(ERSATZ_RESULT_VIEW, argument.impl(), t.meta());
    }
    add_tensor(ERSATZ_RESULT_FRESH, -1, t.meta(), t.storage()->id(), t.storage()->nbytes());
  }

  ErsatzResult& add(ErsatzResultKind kind) {
    ErsatzResult r = {};
    r.kind = kind;
    r.argument = -1;
    return asker_.results.emplace_back(r);
  }

  ErsatzResult& add_tensor(ErsatzResultKind kind, int argument, const TensorMeta& meta, uint64_t storage,
                           SymInt bytes) {
    ErsatzResult& r = add(kind);
    r.argument = argument;
    r.tensor = spelled(meta, storage ? storage : UINT64_MAX - asker_.results.size(), bytes);
    return r;
  }

  void add_shared(ErsatzResultKind kind, const TensorImpl* source, const TensorMeta& meta) {
    const int number = asker_.call.number_of(source);
    const ErsatzTensorMeta& meta_before = asker_.call.tensor_meta(static_cast<size_t>(number));
    ErsatzResult& r = add_tensor(kind, number, meta, meta_before.storage, source->storage->nbytes());
    if (kind == ERSATZ_RESULT_ARGUMENT) r.tensor.object = meta_before.object;
  }

  /// Adds the tensor arguments that the schema marks as written.
  void write_declared() {
    const std::span<const Value> args = asker_.call.arguments();
    for (const uint16_t at : op_.written) {
      for_each_tensor(args.subspan(at, 1), [&](const TensorImpl* t) { write(t); });
    }
  }

  ErsatzWritten& write(const TensorImpl* t) {
    const int number = asker_.call.number_of(t);
    for (ErsatzWritten& w : asker_.written) {
      if (w.argument == number) return w;
    }
    const ErsatzTensorMeta& meta_before = asker_.call.tensor_meta(static_cast<size_t>(number));
    ErsatzWritten w = {number, 0, meta_before};
    return asker_.written.emplace_back(w);
  }

  void changed(const TensorImpl* t, const TensorMeta& now) {
    ErsatzWritten& w = write(t);
    const uint64_t object = w.tensor.object;
    w.meta_changed = 1;
    w.tensor = spelled(now, w.tensor.storage, t->storage->nbytes());
    w.tensor.object = object;
  }

  ErsatzTensorMeta spelled(const TensorMeta& meta, uint64_t storage, SymInt bytes) {
    ErsatzTensorMeta t = {};
    t.dtype = to_c(meta.dtype);
    t.device = to_c(meta.device);
    t.ndim = static_cast<int32_t>(meta.dim());
    const auto flag = [](bool is, ErsatzTensorFlag flag) { return is ? static_cast<uint32_t>(flag) : 0u; };
    t.flags = flag(meta.conj, ERSATZ_CONJ) | flag(meta.neg, ERSATZ_NEG) |
              flag(meta.wrapped_number, ERSATZ_WRAPPED_NUMBER) | flag(meta.requires_grad, ERSATZ_REQUIRES_GRAD) |
              flag(meta.inference, ERSATZ_INFERENCE);
    t.sizes = integers(meta.sizes);
    t.strides = integers(meta.strides);
    t.offset = meta.offset.guard_int();
    t.storage = storage;
    t.storage_bytes = bytes.guard_int();
    return t;
  }

  const int64_t* integers(std::span<const SymInt> from) {
    std::vector<int64_t>& copy = asker_.dims.emplace_back();
    for (const SymInt i : from) copy.push_back(i.guard_int());
    return copy.data();
  }

  ErsatzValue value(const Value& v) {
    ErsatzValue c = {};
    if (v.kind() == Value::Kind::Generator || plain_to_c(v, c)) return c;  // a generator becomes ERSATZ_NONE
    switch (v.kind()) {
      case Value::Kind::String: {
        const std::string& copy = asker_.strings.emplace_back(v.as_string());
        c.kind = ERSATZ_STRING, c.length = static_cast<uint32_t>(copy.size()), c.as.string = copy.c_str();
        return c;
      }
      case Value::Kind::IntList:
        c.kind = ERSATZ_INT_LIST, c.length = static_cast<uint32_t>(v.as_ints().size());
        c.as.integers = integers(v.as_ints());
        return c;
      case Value::Kind::List: {
        std::vector<ErsatzValue> items;
        for (const Value& item : v.as_list()) items.push_back(value(item));
        const std::vector<ErsatzValue>& copy = asker_.items.emplace_back(std::move(items));
        c.kind = ERSATZ_LIST, c.length = static_cast<uint32_t>(copy.size()), c.as.items = copy.data();
        return c;
      }
      default:
        return c;
    }
  }

  ErsatzAsker& asker_;
  const OpEntry& op_;
};

ErsatzAnswerStatus status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::DataDependentOutput:
    case ErrorKind::DynamicOutputShape:
    case ErrorKind::GuardOnDataDependent:
      return ERSATZ_ANSWER_DATA_DEPENDENT;
    case ErrorKind::NotSupported:
    case ErrorKind::UnsupportedOperator:
    case ErrorKind::UnsupportedFakeTensor:
    case ErrorKind::InternalError:
      return ERSATZ_ANSWER_UNSUPPORTED;
    default:
      return ERSATZ_ANSWER_REFUSED;
  }
}

ErsatzAnswerStatus answer_call(ErsatzAsker& asker, const OpEntry& op, const ErsatzAskContext* context,
                               std::span<const ErsatzValue> arguments) {
  const SuspendModes alone;
  const RuleContext settings = context_of(context);
  const ExcludeAutograd below;
  const ContextGuard guard([&](RuleContext& c) { c = settings; });
  asker.call.set(op, arguments);
  Answering answering(asker, op);
  if (op.rule) {
    RuleResult rule;
    run_rule(op, asker.call.arguments(), rule);
    if (rule.outputs.empty() && !op.schema.returns.empty() && !op.returns_list) {
      fail(ErrorKind::DynamicOutputShape, ErrorFamily::Runtime, "{}: what it returns depends on data", op.base());
    }
    answering.by_rule(rule);
    return ERSATZ_ANSWER_GIVEN;
  }
  const FakeScope scope(asker.mode);
  Values results;
  dispatch(op, asker.call.arguments(), results);
  answering.by_results(results);
  return ERSATZ_ANSWER_GIVEN;
}

const ErsatzOpEntry* find_op(const char* name) {
  try {
    return name ? hidden(registry().find(name)) : nullptr;
  } catch (...) {
    return nullptr;
  }
}

const char* schema_of(const ErsatzOpEntry* op) {
  // The texts are never freed, because callers keep pointers to them. The keys stay valid, because operators are never
  // removed.
  static std::mutex mutex;
  static auto* texts = new std::map<const OpEntry*, std::string>;
  try {
    const std::lock_guard lock(mutex);
    std::string& text = (*texts)[&shown(op)];
    if (text.empty()) text = to_string(shown(op).schema);
    return text.c_str();
  } catch (...) {
    return "";
  }
}

ErsatzAsker* new_asker() {
  try {
    return new ErsatzAsker;
  } catch (...) {
    return nullptr;
  }
}

void free_asker(ErsatzAsker* asker) { delete asker; }

int ask(ErsatzAsker* asker, const ErsatzOpEntry* op, const ErsatzAskContext* context, const ErsatzValue* arguments,
        uint32_t count, ErsatzAnswer* answer) {
  const uint32_t size = answer->size;
  *answer = {};
  answer->size = size;
  answer->error_kind = answer->error_family = answer->label = answer->message = answer->suggestion = "";
  try {
    asker->clear();
    answer->status = answer_call(*asker, shown(op), context, {arguments, count});
    answer->count = static_cast<uint32_t>(asker->results.size());
    answer->results = asker->results.data();
    answer->written_count = static_cast<uint32_t>(asker->written.size());
    answer->written = asker->written.data();
    return answer->status;
  } catch (const Error& e) {
    answer->status = status_of(e.kind);
    answer->error_kind = name(e.kind).data();
    answer->error_family = name(e.family).data();
    try {
      asker->error = e;
      answer->label = asker->error.label.c_str();
      answer->message = asker->error.message.c_str();
      answer->suggestion = asker->error.suggestion.c_str();
    } catch (...) {
      answer->message = "memory is exhausted";
    }
  } catch (...) {
    answer->status = ERSATZ_ANSWER_UNSUPPORTED;
    answer->error_kind = "InternalError";
    answer->error_family = "runtime";
    answer->message = "memory is exhausted";
  }
  return answer->status;
}

}  // namespace
}  // namespace ersatz

const ErsatzAsk* ersatz_ask(uint32_t abi) {
  static const std::string version(ersatz::version());
  static const ErsatzAsk functions = {sizeof(ErsatzAsk), ERSATZ_ASK_ABI,    version.c_str(),    ersatz::find_op,
                                      ersatz::schema_of, ersatz::new_asker, ersatz::free_asker, ersatz::ask};
  return abi == ERSATZ_ASK_ABI ? &functions : nullptr;
}
