#include "tracer/pasted/torch_calls.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

#include "runtime/base/error.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/tensor.h"
#include "tracer/program/example_number.h"

namespace ersatz::pasted {

namespace {

/// A function of torch.nn.functional. `formals` are the parameters of its Python signature. `order` lists them in the
/// order of the operator's parameters, with defaults for parameters that a call may omit.
struct FunctionForm {
  std::string_view name, op, formals, order;
};
constexpr FunctionForm kFunctions[] = {
    {"relu", "aten.relu", "input inplace", "input"},
    {"relu6", "aten.relu6", "input inplace", "input"},
    {"silu", "aten.silu", "input inplace", "input"},
    {"mish", "aten.mish", "input inplace", "input"},
    {"hardswish", "aten.hardswish", "input inplace", "input"},
    {"hardsigmoid", "aten.hardsigmoid", "input inplace", "input"},
    {"elu", "aten.elu", "input alpha inplace", "input alpha"},
    {"leaky_relu", "aten.leaky_relu", "input negative_slope inplace", "input negative_slope"},
    {"tanh", "aten.tanh", "input", "input"},
    {"sigmoid", "aten.sigmoid", "input", "input"},
    {"dropout", "aten.dropout", "input p training inplace", "input p=0.5 training=True"},
    {"softmax", "aten.softmax.int", "input dim _stacklevel dtype", "input dim dtype=None"},
    {"log_softmax", "aten.log_softmax.int", "input dim _stacklevel dtype", "input dim dtype=None"},
    {"batch_norm", "aten.batch_norm", "input running_mean running_var weight bias training momentum eps",
     "input weight=None bias=None running_mean running_var training=False momentum=0.1 eps=1e-05 cudnn=True"},
    {"embedding", "aten.embedding", "input weight padding_idx max_norm norm_type scale_grad_by_freq sparse",
     "weight input padding_idx=-1 scale_grad_by_freq=False sparse=False"},
    {"max_pool2d", "aten.max_pool2d", "input kernel_size stride padding dilation ceil_mode return_indices",
     "input kernel_size stride=[] padding=0 dilation=1 ceil_mode=False"},
    {"max_pool1d", "aten.max_pool1d", "input kernel_size stride padding dilation ceil_mode return_indices",
     "input kernel_size stride=[] padding=0 dilation=1 ceil_mode=False"},
    {"cross_entropy", "aten.cross_entropy_loss",
     "input target weight size_average ignore_index reduce reduction label_smoothing",
     "input target weight=None reduction=mean ignore_index=-100 label_smoothing=0.0"},
    {"mse_loss", "aten.mse_loss", "input target size_average reduce reduction weight", "input target reduction=mean"},
    {"l1_loss", "aten.l1_loss", "input target size_average reduce reduction weight", "input target reduction=mean"},
    {"nll_loss", "aten.nll_loss", "input target weight size_average ignore_index reduce reduction",
     "input target weight=None reduction=mean ignore_index=-100"},
    {"instance_norm", "aten.instance_norm", "input running_mean running_var weight bias use_input_stats momentum eps",
     "input weight=None bias=None running_mean=None running_var=None use_input_stats=True momentum=0.1 eps=1e-05 "
     "cudnn=True"},
    {"grid_sample", "aten.grid_sampler", "input grid mode padding_mode align_corners",
     "input grid mode=0 padding_mode=0 align_corners=False"},
    {"dropout2d", "aten.feature_dropout", "input p training inplace", "input p=0.5 training=True"},
    {"smooth_l1_loss", "aten.smooth_l1_loss", "input target size_average reduce reduction beta",
     "input target reduction=mean beta=1.0"},
    {"huber_loss", "aten.huber_loss", "input target reduction delta weight", "input target reduction=mean delta=1.0"},
    {"binary_cross_entropy", "aten.binary_cross_entropy", "input target weight size_average reduce reduction",
     "input target weight=None reduction=mean"},
    {"binary_cross_entropy_with_logits", "aten.binary_cross_entropy_with_logits",
     "input target weight size_average reduce reduction pos_weight",
     "input target weight=None pos_weight=None reduction=mean"},
};

/// Modules whose functions have the names of operators.
constexpr std::string_view kModules[] = {
    "torch.nn.functional.", "torch._C._nn.", "torch._C._linalg.", "torch._C._special.", "torch._C._fft.",
    "torch.functional.",    "torch."};

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Arg literal_of(Program& p, std::string_view text) {
  if (text == "None") return {};
  if (text == "True" || text == "False") return p.add_literal(text == "True");
  if (text == "[]") return p.add_list({});
  if (text == "mean") return p.add_literal(Value(int64_t(1)));  // ATen's number for the reduction
  if (text.find_first_of(".e") != text.npos) return p.add_literal(std::stod(std::string(text)));
  return p.add_literal(Value(int64_t(std::stol(std::string(text)))));
}

/// Arguments that are a word in Python and a number in ATen. The number is the word's index in this table.
constexpr std::pair<std::string_view, std::array<std::string_view, 3>> kNumbered[] = {
    {"reduction", {"none", "mean", "sum"}},
    {"mode", {"bilinear", "nearest", "bicubic"}},
    {"padding_mode", {"zeros", "border", "reflection"}}};

/// Returns ATen's number if the argument is one of the words in kNumbered; else `a` unchanged.
Arg numbered(Program& p, std::string_view formal, Arg a) {
  if (a.kind != Arg::Kind::Literal || p.literal(a).kind() != Value::Kind::String) return a;
  for (const auto& [name, words] : kNumbered) {
    const auto* const word = std::find(words.begin(), words.end(), p.literal(a).as_string());
    if (name == formal && word != words.end()) return p.add_literal(Value(int64_t(word - words.begin())));
  }
  return a;
}

std::optional<OperatorCall> by_form(Program& p, const FunctionForm& form, const CallArgs& args) {
  const std::vector<std::string_view> formals = words(form.formals);
  std::map<std::string_view, Arg> given;
  for (size_t i = 0; i < args.size(); ++i) {
    Arg a = args[i];
    const std::string_view name = a.name ? p.name(a.name) : i < formals.size() ? formals[i] : std::string_view();
    if (name.empty() || std::find(formals.begin(), formals.end(), name) == formals.end()) return std::nullopt;
    a.name = 0;
    given[*std::find(formals.begin(), formals.end(), name)] = a;
  }
  OperatorCall call{std::string(form.op), {}};
  if (const auto inplace = given.find("inplace"); inplace != given.end()) {
    const Arg& a = inplace->second;
    const bool yes = a.kind == Arg::Kind::Literal && p.literal(a).kind() == Value::Kind::Bool && p.literal(a).as_bool();
    if (yes) call.op += '_';
  }
  for (const std::string_view item : words(form.order)) {
    const size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const auto found = given.find(name);
    const bool none = found != given.end() && found->second.kind == Arg::Kind::None;
    if (found != given.end() && !(none && equals != item.npos)) {
      call.args.push_back(numbered(p, name, found->second));
    } else if (equals != item.npos) {
      call.args.push_back(literal_of(p, item.substr(equals + 1)));
    } else {
      return std::nullopt;
    }
  }
  return call;
}

/// Renames the keyword `input` to `self`, which is its name in operator schemas.
CallArgs with_self(Program& p, const CallArgs& args) {
  CallArgs out = args;
  for (Arg& a : out) {
    if (a.name && p.name(a.name) == "input") a.name = p.names.intern("self");
  }
  return out;
}

constexpr std::pair<std::string_view, DType> kCasts[] = {
    {"float", DType::F32}, {"double", DType::F64}, {"half", DType::F16}, {"bfloat16", DType::BF16},
    {"int", DType::I32},   {"long", DType::I64},   {"bool", DType::Bool}};

struct SymbolRow {
  std::string_view symbol, tensor, number;
};
constexpr SymbolRow kSymbols[] = {{"+", "add", "add"},
                                  {"-", "sub", "sub"},
                                  {"*", "mul", "mul"},
                                  {"/", "div", "truediv"},
                                  {"//", "floor_divide", "floordiv"},
                                  {"%", "remainder", "mod"},
                                  {"**", "pow", "pow"},
                                  {"@", "matmul", ""},
                                  {"==", "eq", "eq"},
                                  {"!=", "ne", "ne"},
                                  {"<", "lt", "lt"},
                                  {"<=", "le", "le"},
                                  {">", "gt", "gt"},
                                  {">=", "ge", "ge"},
                                  {"&", "__and__", "and_"},
                                  {"|", "__or__", "or_"},
                                  {"^", "__xor__", ""},
                                  {"<<", "__lshift__", "lshift"},
                                  {">>", "__rshift__", "rshift"}};

}  // namespace

std::optional<OperatorCall> operator_of_function(Program& p, std::string_view function, const CallArgs& args) {
  for (const std::string_view module : kModules) {
    if (!function.starts_with(module)) continue;
    const std::string_view name = function.substr(module.size());
    if (name.empty() || name.find('.') != name.npos) continue;
    if (module == "torch.nn.functional.") {
      for (const FunctionForm& form : kFunctions) {
        if (form.name == name) return by_form(p, form, args);
      }
    }
    return OperatorCall{fmt::format("aten.{}", name), with_self(p, args)};
  }
  return std::nullopt;
}

std::optional<OperatorCall> operator_of_method(Program& p, std::string_view method, const CallArgs& args) {
  for (const auto& [name, dtype] : kCasts) {
    if (name == method && args.size() == 1) return OperatorCall{"aten.to.dtype", {args[0], p.add_literal(dtype)}};
  }
  return OperatorCall{fmt::format("aten.{}", method), args};
}

std::string_view tensor_operator(std::string_view symbol) {
  for (const SymbolRow& row : kSymbols) {
    if (row.symbol == symbol) return row.tensor;
  }
  return {};
}

std::string_view number_operator(std::string_view symbol) {
  for (const SymbolRow& row : kSymbols) {
    if (row.symbol == symbol) return row.number;
  }
  return {};
}

Value Overloads::example(const Arg& a, int depth) const {
  static const Tensor tensor(TensorMeta(DType::F32, {}, kMeta), Storage::make_fake(4, kMeta));
  switch (a.kind) {
    case Arg::Kind::Literal:
      return program_.literal(a);
    case Arg::Kind::Value:
      return example_number(graph_.values[a.index].kind).value_or(Value(tensor));
    case Arg::Kind::List: {
      if (depth > 4) fail_argument("lists are nested too deep");
      std::vector<Value> items;
      for (const Arg& item : program_.list(a)) items.push_back(example(item, depth + 1));
      return Value::packed(items);
    }
    case Arg::Kind::None:
      return {};
    default:
      fail_argument("an operator takes no graphs, operators or maps");
  }
}

std::optional<int> Overloads::fits(const OpEntry& op, const CallArgs& args) const {
  const auto& formals = op.schema.arguments;
  if (args.size() > formals.size()) return std::nullopt;
  int numbers = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].name || formals[i].keyword_only) return std::nullopt;
    Value::Kind kind = Value::Kind::None;
    if (args[i].kind == Arg::Kind::Literal) {
      kind = program_.literal(args[i]).kind();
      numbers += formals[i].type.base == BaseType::Tensor && program_.literal(args[i]).is_number();
    } else if (args[i].kind == Arg::Kind::Value) {
      const ValueKind of = graph_.values[args[i].index].kind;
      if (of != ValueKind::Tensor && of != ValueKind::Unknown) return std::nullopt;
      kind = Value::Kind::Tensor;
    } else {
      return std::nullopt;
    }
    if (!formals[i].is_ready(kind)) return std::nullopt;
  }
  const bool filled = std::all_of(formals.begin() + static_cast<ptrdiff_t>(args.size()), formals.end(),
                                  [](const Argument& a) { return a.default_value.has_value(); });
  return filled ? std::optional(numbers) : std::nullopt;
}

bool Overloads::takes(const OpEntry& op, const CallArgs& args, int& numbers_for_tensors, std::string* why) const {
  if (const auto numbers = fits(op, args)) {
    numbers_for_tensors = *numbers;
    return true;
  }
  try {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> keywords;
    for (const Arg& a : args) {
      if (a.name) {
        keywords.emplace_back(program_.name(a.name), example(a, 0));
      } else {
        positional.push_back(example(a, 0));
      }
    }
    const auto& formals = op.schema.arguments;
    const auto keyword_only =
        std::count_if(formals.begin(), formals.end(), [](const Argument& a) { return a.keyword_only; });
    if (positional.size() > formals.size() - static_cast<size_t>(keyword_only))
      fail_argument("{}: {} positional arguments are too many", op.schema.base, positional.size());
    const std::vector<Value> bound = bind_arguments(op.schema, positional, keywords);
    numbers_for_tensors = 0;
    for (size_t i = 0; i < bound.size(); ++i) {
      const SchemaType& type = op.schema.arguments[i].type;
      if (type.base == BaseType::Tensor && bound[i].is_number()) ++numbers_for_tensors;
    }
    return true;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    if (why) *why = e.message;
    return false;
  }
}

namespace {

/// Returns all overloads of an operator like `aten.add` that have no `out` argument. A log names the same operators in
/// hundreds of graphs, so the registry is indexed once. It is indexed again if a name is missing and plugins have added
/// operators.
std::vector<const OpEntry*> overloads_of(const std::string& op) {
  static std::mutex mutex;
  static size_t registered = 0;
  static std::unordered_map<std::string, std::vector<const OpEntry*>> by_name;
  const std::lock_guard lock(mutex);
  if (by_name.contains(op)) return by_name[op];
  if (const auto all = registry().all(); all.size() != registered) {
    by_name.clear();
    for (const OpEntry* one : all) {
      if (!one->schema.overload.ends_with("out"))
        by_name[fmt::format("{}.{}", one->schema.ns, one->schema.base)].push_back(one);
    }
    registered = all.size();
  }
  const auto found = by_name.find(op);
  return found == by_name.end() ? std::vector<const OpEntry*>() : found->second;
}

/// Remembers which overloads were chosen. The graphs of one log have many equal calls.
class Choices {
 public:
  std::optional<const OpEntry*> find(const std::string& call) {
    const std::lock_guard lock(mutex_);
    const auto found = made_.find(call);
    return found == made_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(std::string call, const OpEntry* chosen) {
    constexpr size_t kMost = size_t(1) << 15;
    const std::lock_guard lock(mutex_);
    if (made_.size() == kMost) made_.clear();
    made_.emplace(std::move(call), chosen);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, const OpEntry*> made_;
};

Choices& choices() {
  static Choices all;
  return all;
}

}  // namespace

bool Overloads::add_kind(const Arg& a, bool in_list, std::string& kinds) const {
  constexpr int64_t kMostConverted = 64;  // only a number below this can be a dtype or a memory format
  const auto add = [&](char head, int kind) {
    kinds += head;
    kinds += static_cast<char>('A' + kind);
  };
  switch (a.kind) {
    case Arg::Kind::Literal: {
      const Value& v = program_.literal(a);
      add('l', static_cast<int>(v.kind()));
      if (v.kind() == Value::Kind::String) kinds += fmt::format("{}:{}", v.as_string().size(), v.as_string());
      if (v.kind() != Value::Kind::Int) return true;
      if (v.is_symbolic()) {
        kinds += 's';
      } else if (const int64_t n = v.as_int64(); !in_list && n >= 0 && n < kMostConverted) {
        kinds += static_cast<char>('0' + n);
      }
      return true;
    }
    case Arg::Kind::Value: {
      const ValueKind kind = graph_.values[a.index].kind;
      const bool number = kind == ValueKind::Int || kind == ValueKind::Float || kind == ValueKind::Bool;
      add('v', number ? static_cast<int>(kind) : static_cast<int>(ValueKind::Tensor));
      return true;
    }
    case Arg::Kind::List:
      kinds += '[';
      for (const Arg& item : program_.list(a)) {
        if (!add_kind(item, true, kinds)) return false;
      }
      kinds += ']';
      return true;
    case Arg::Kind::None:
      kinds += 'n';
      return true;
    default:
      return false;
  }
}

const OpEntry* Overloads::pick(const std::vector<const OpEntry*>& ops, std::string_view op,
                               const CallArgs& args) const {
  std::string call = fmt::format("{} {} ", op, ops.size());
  bool known = true;
  for (const Arg& a : args) {
    if (a.name) call += fmt::format("{}=", program_.name(a.name));
    known = known && add_kind(a, false, call);
  }
  if (const auto before = known ? choices().find(call) : std::nullopt) return *before;
  const OpEntry* best = nullptr;
  int fewest = 0;
  for (const OpEntry* one : ops) {
    int numbers = 0;
    if (!takes(*one, args, numbers, nullptr)) continue;
    if (!best || numbers < fewest) {
      best = one;
      fewest = numbers;
    }
  }
  if (known) choices().add(std::move(call), best);
  return best;
}

const OpEntry* Overloads::choose(Program& program, std::string_view op, CallArgs& args, std::string* why) {
  auto found = known_.find(op);
  if (found == known_.end()) {
    std::vector<const OpEntry*> ops;
    // A name with its overload means one operator. A name without overload means all overloads that have no `out`
    // argument.
    const size_t dots = static_cast<size_t>(std::count(op.begin(), op.end(), '.'));
    if (dots >= 2) {
      if (const OpEntry* one = registry().find(op)) ops.push_back(one);
    } else {
      ops = overloads_of(std::string(op));
    }
    found = known_.emplace(std::string(op), std::move(ops)).first;
  }
  const std::vector<const OpEntry*>& ops = found->second;
  if (const OpEntry* best = pick(ops, op, args)) return best;
  // Python accepts `x.view(2, 3)` for `x.view([2, 3])`, `torch.zeros(2, 3)` for `torch.zeros([2, 3])`, and
  // `torch.meshgrid(a, b)` for `torch.meshgrid([a, b])`.
  const auto is_number = [&](const Arg& a) {
    if (a.kind == Arg::Kind::Literal) return program.literal(a).kind() == Value::Kind::Int;
    return a.kind == Arg::Kind::Value && graph_.values[a.index].kind == ValueKind::Int;
  };
  const auto is_tensor = [&](const Arg& a) {
    if (a.kind != Arg::Kind::Value) return false;
    const ValueKind kind = graph_.values[a.index].kind;
    return kind == ValueKind::Tensor || kind == ValueKind::Unknown;
  };
  const auto with_list = [&](const auto& belongs) -> const OpEntry* {
    const auto positional = [&](const Arg& a) { return !a.name && belongs(a); };
    const auto first = std::find_if(args.begin(), args.end(), positional);
    const auto last = std::find_if_not(first, args.end(), positional);
    if (first - args.begin() > 1 || first == last) return nullptr;
    CallArgs packed(args.begin(), first);
    packed.push_back(program.add_list(std::vector<Arg>(first, last)));
    packed.insert(packed.end(), last, args.end());
    const OpEntry* best = pick(ops, op, packed);
    if (best) args = std::move(packed);
    return best;
  };
  const OpEntry* best = with_list(is_number);
  if (!best) best = with_list(is_tensor);
  if (best || !why) return best;
  if (ops.empty()) *why = fmt::format("there is no operator {}", op);
  int ignored = 0;
  for (const OpEntry* one : ops) takes(*one, args, ignored, why);
  return nullptr;
}

}  // namespace ersatz::pasted
