#include "tracer/pasted/output_code.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/base/count_text.h"
#include "runtime/base/error.h"
#include "tracer/messages/generated_code.h"
#include "tracer/messages/python_text.h"
#include "tracer/pasted/annotation.h"
#include "tracer/pasted/code_memory.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

constexpr size_t kNamedKernels = 12;

/// Beginnings of statements and calls that neither make nor change a tensor.
constexpr std::string_view kKeeping[] = {"del ",    "args.clear", "with ",   "import ",
                                         "from ",   "pass",       "raise ",  "torch.cuda.set_device",
                                         "assert_", "assert ",    "global ", "run_intermediate_hooks"};

/// Names that generated code has for modules, and the module of each.
constexpr std::pair<std::string_view, std::string_view> kCodeModules[] = {{"torch.ops.", "torch.ops."},
                                                                          {"aten.", "torch.ops.aten."},
                                                                          {"inductor_ops.", "torch.ops.inductor."},
                                                                          {"_quantized.", "torch.ops._quantized."}};

class Translation {
 public:
  Translation(GraphText& g, const GeneratedCode& code) : g_(g), code_(code) {
    for (const std::string& name : code.inputs) inputs_.insert(name);
  }

  void run() {
    std::vector<BodyLine> body = std::move(g_.body);
    g_.body.clear();
    look_ahead(body);
    for (const std::string& name : code_.inputs) give(name, input_annotation(name));
    for (const BodyLine& line : body) {
      number_ = line.number;
      if (line.comment) {
        read_comment(line.text);
        continue;
      }
      text_ = trimmed(line.text);
      if (!line.damage.empty()) {
        lose(line.damage);
        continue;
      }
      if (skips()) continue;
      text_ = trimmed(text_.substr(0, text_.find("; del ")));
      try {
        for (const PyStatement& s : parse_statements(text_)) statement(s);
      } catch (const Error& e) {
        if (e.kind == ErrorKind::InternalError) throw;
        lose(e.message);
      }
    }
    if (!kernels_.empty()) {
      std::string names = joined(named_);
      if (kernels_.size() > named_.size()) names += fmt::format(" and {} more", kernels_.size() - named_.size());
      g_.left_out.push_back({first_kernel_, fmt::format("{} of kernels that Inductor generated: nothing judges {}",
                                                        count_of(calls_, "call"), names)});
    }
    if (!checks_.empty()) {
      std::string names;
      for (const auto& [what, n] : checks_) names += fmt::format("{}{} {}", names.empty() ? "" : ", ", what, n);
      g_.left_out.push_back({first_check_, fmt::format("checks when the code runs, which nothing judges: {}", names)});
    }
    for (const auto& [symbol, value] : code_.numbers) {
      if (const auto n = whole_number(value)) g_.examples.emplace_back(symbol, *n);
    }
  }

 private:
  /// Collects facts that only later lines give: asserted layouts, symbols, further names of a result, the device.
  void look_ahead(const std::vector<BodyLine>& body) {
    for (const PlacedAssert& placed : code_.asserts) {
      const AssertCall& call = placed.call;
      for (size_t i = 0; i < call.names.size() && i < call.sizes.size(); ++i) {
        if (inputs_.contains(call.names[i])) continue;
        CodeMemory m{dtype_word(call.dtype), "", sizes_text(call.sizes[i]), sizes_text(call.strides[i])};
        if (m.dtype.empty()) m.dtype = kAnyDtype;
        asserted_.emplace(call.names[i], std::move(m));
      }
    }
    std::string guard = "0";
    for (const BodyLine& line : body) {
      if (line.comment) continue;
      const std::string_view text = trimmed(line.text);
      if (const auto index = between(text, "_DeviceGuard(", ")")) guard = std::string(*index);
      const size_t equals = text.find(" = ");
      if (equals == text.npos || !is_python_name(text.substr(0, equals))) continue;
      const std::string_view name = text.substr(0, equals);
      const std::string_view right = trimmed(text.substr(equals + 3, text.find(';') - equals - 3));
      if (is_python_name(right)) {
        if (is_symbol(name)) symbols_.emplace(right, name);
        other_names_.emplace(right, name);
      }
      if (device_.empty() && right.starts_with("empty_strided_") && !right.starts_with("empty_strided_cpu"))
        device_ = fmt::format("{}:{}", right.substr(14, right.find('(') - 14), guard);
    }
    if (device_.empty()) device_ = "cpu";
  }

  std::string input_annotation(const std::string& name) const {
    if (const auto symbol = symbols_.find(name); symbol != symbols_.end())
      return fmt::format("Sym({})", symbol->second);
    const auto found = code_.buffers.find(name);
    if (found == code_.buffers.end() || !found->second.laid_out) return {};
    const LaidOut& l = *found->second.laid_out;
    return CodeMemory{dtype_word(l.dtype), l.device, sizes_text(l.sizes), sizes_text(l.strides)}.annotation();
  }

  void give(const std::string& name, std::string annotation) {
    if (!known_.insert(name).second) return;
    if (!annotation.starts_with("Sym(") && !annotation.empty())
      memory_[name].dtype = annotation.substr(0, annotation.find('['));
    g_.given.push_back({name, std::move(annotation)});
  }

  void leave_out(std::string reason) { g_.left_out.push_back({number_, std::move(reason)}); }

  /// Leaves the statement out of the graph. If it makes a buffer, the buffer becomes an input with the layout that
  /// later lines assert.
  void lose(const std::string& reason) {
    leave_out(reason);
    const std::string name(text_.substr(0, text_.find(" = ")));
    if (name.size() == text_.size() || !is_python_name(name)) return;
    if (std::string layout = expected(name); !layout.empty()) give(name, std::move(layout));
  }

  /// Parses `# Topologically Sorted Source Nodes: [linear], Original ATen: [aten.t, aten.addmm]`.
  void read_comment(std::string_view text) {
    const auto nodes = between(text, "Source Nodes: [", "]");
    if (!nodes) return;
    origin_ = fmt::format(", of {}", *nodes);
    if (const auto ops = between(text, "Original ATen: [", "]"); ops && !ops->empty())
      origin_ += fmt::format(" ({})", *ops);
  }

  bool is_check() {
    const bool of_sizes = text_.starts_with("if not (");
    if (of_sizes || text_.starts_with("assert_alignment(")) {
      ++checks_[of_sizes ? "of sizes" : "of alignment"];
      if (!first_check_) first_check_ = number_;
      return true;
    }
    return false;
  }

  bool skips() {
    if (is_check()) return true;
    if (text_.starts_with("assert_") && !assert_call(text_)) leave_out("an assertion that is not read");
    for (const std::string_view word : kKeeping) {
      if (text_.starts_with(word)) return true;
    }
    if (text_.ends_with(':')) {
      leave_out(fmt::format("`{}`: branches and loops are not followed", text_.substr(0, 60)));
      return true;
    }
    return text_.ends_with(" = args") || text_.find(" = get_raw_stream(") != text_.npos;
  }

  void emit(std::string statement) { g_.body.push_back({number_, std::move(statement), false}); }
  void emit_source() {
    g_.body.push_back({number_, fmt::format("# File: line {} of the generated code{}", number_, origin_), true});
  }

  // The next functions write arguments.

  std::string source(const Expr& e) const { return std::string(text_.substr(e.begin, e.end - e.begin)); }

  [[noreturn]] void refuse(const Expr& e) const {
    fail_argument("'{}' is not read in generated code", source(e).substr(0, 60));
  }

  /// Returns a name for the value of an expression, for example `32*s23`. A statement before the current one computes
  /// it.
  std::string hoisted_number(const std::string& expression) {
    const auto known = numbers_.find(expression);
    if (known != numbers_.end()) return known->second;
    std::string name = fmt::format("number_{}", numbers_.size());
    emit(fmt::format("{} = {}", name, expression));
    return numbers_[expression] = name;
  }

  std::string items(const Expr& e) {
    std::vector<std::string> all;
    for (const Expr& item : e.items) all.push_back(value(item));
    return fmt::format("[{}]", joined(all));
  }

  /// Returns the text of an argument. Calls and arithmetic in it are computed by statements before the current one.
  std::string value(const Expr& e) {
    switch (e.kind) {
      case Expr::Kind::Name:
      case Expr::Kind::Int:
      case Expr::Kind::Float:
      case Expr::Kind::String:
      case Expr::Kind::Attribute:
        return source(e);
      case Expr::Kind::Tuple:
      case Expr::Kind::List:
        return items(e);
      case Expr::Kind::Unary:
        if (e.items[0].kind == Expr::Kind::Int || e.items[0].kind == Expr::Kind::Float || e.items[0].is_name("inf"))
          return source(e);
        return hoisted_number(fmt::format("{}{}", e.text, value(e.items[0])));
      case Expr::Kind::Binary:
        return hoisted_number(fmt::format("{} {} {}", value(e.items[0]), e.text, value(e.items[1])));
      case Expr::Kind::Index: {
        const std::string name = fmt::format("part_{}", views_++);
        emit(fmt::format("{} = {}", name, source(e)));
        return name;
      }
      case Expr::Kind::Call:
        return made(e);
      default:
        refuse(e);
    }
  }

  std::string made(const Expr& e) {
    const std::string callee = dotted_name(e.items[0]);
    if (callee == "device" || callee == "torch.device" || callee == "float" || callee == "complex") return source(e);
    if ((callee == "max" || callee == "min") && e.items.size() == 3)
      return hoisted_number(fmt::format("torch.sym_{}({}, {})", callee, value(e.items[1]), value(e.items[2])));
    if (is_view(callee)) {
      const std::string view = fmt::format("reinterpreted_{}", views_++);
      reinterpret(view, e);
      return view;
    }
    refuse(e);
  }

  static bool is_view(std::string_view callee) { return callee == "reinterpret_tensor" || callee == "as_strided"; }

  static const Expr* keyword(const Expr& call, std::string_view name) {
    for (size_t i = 1; i < call.items.size(); ++i) {
      if (call.keyword(i) == name) return &call.items[i];
    }
    return nullptr;
  }

  std::string plain(const Expr& sequence) const {
    std::vector<std::string> all;
    for (const Expr& item : sequence.items) all.push_back(source(item));
    return sizes_text(all);
  }

  // The next functions handle buffers.

  /// Handles `reinterpret_tensor(buf, size, stride, increment)`. The increment is added to the storage offset of `buf`.
  void reinterpret(const std::string& name, const Expr& e) {
    if (e.items.size() < 4) refuse(e);
    const std::string of = value(e.items[1]);
    CodeMemory m = memory_[of];
    m.sizes = plain(e.items[2]);
    m.strides = plain(e.items[3]);
    std::string offset;
    if (e.items.size() > 4 && source(e.items[4]) != "0") {
      const std::string more = value(e.items[4]);
      const auto a = whole_number(m.offset), b = whole_number(more);
      m.offset = a && b ? fmt::format("{}", *a + *b) : *a == 0 ? more : hoisted_number(m.offset + " + " + more);
      offset = ", " + m.offset;
    }
    const std::string sizes = items(e.items[2]), strides = items(e.items[3]);
    emit_source();
    emit(fmt::format("{} = torch.ops.aten.as_strided.default({}, {}, {}{})", name, of, sizes, strides, offset));
    memory_[name] = std::move(m);
    known_.insert(name);
  }

  void allocate(const std::string& name, const Expr& e, std::string_view callee, size_t first) {
    if (e.items.size() < first + 3) refuse(e);
    CodeMemory m;
    m.sizes = plain(e.items[first + 1]);
    m.strides = plain(e.items[first + 2]);
    m.device = device_;
    if (callee.ends_with("cpu") || callee.ends_with("cpu_pinned")) m.device = "cpu";
    if (const Expr* device = keyword(e, "device"); device && device->kind == Expr::Kind::String)
      m.device = device->text;
    for (size_t i = 1; i < e.items.size(); ++i) {
      if (dotted_name(e.items[i]).starts_with("torch.")) m.dtype = dtype_word(dotted_name(e.items[i]));
    }
    if (m.dtype.empty()) refuse(e);
    const std::string sizes = items(e.items[first + 1]), strides = items(e.items[first + 2]);
    const size_t colon = m.device.find(':');
    const std::string index = colon == m.device.npos ? "" : fmt::format(", index={}", m.device.substr(colon + 1));
    emit_source();
    emit(
        fmt::format("{} = torch.ops.aten.empty_strided.default({}, {}, dtype = torch.{}, device = device(type='{}'{}))",
                    name, sizes, strides, m.dtype, m.device.substr(0, colon), index));
    memory_[name] = std::move(m);
    known_.insert(name);
  }

  // The next functions handle statements.

  void statement(const PyStatement& s) {
    if (s.returns) {
      if (s.value) emit(fmt::format("return {}", value(*s.value)));
      return;
    }
    if (!s.value) return;
    const Expr& e = *s.value;
    if (s.targets.empty()) {
      if (e.kind != Expr::Kind::Call) refuse(e);
      call_statement(e);
      return;
    }
    for (const Expr& target : s.targets) {
      if (target.kind == Expr::Kind::Tuple) {
        for (const Expr& item : target.items) unknown(item.text, "a call that is not followed");
      } else if (target.kind == Expr::Kind::Name) {
        assign(target.text, e);
      } else {
        refuse(target);
      }
    }
  }

  /// Returns the layout that later lines assert for `name`, or for another name that its buffer gets later.
  std::string expected(std::string name) const {
    for (int i = 0; i < 4; ++i) {
      if (const auto found = asserted_.find(name); found != asserted_.end()) {
        CodeMemory m = found->second;
        m.device = device_;
        return m.annotation();
      }
      const auto other = other_names_.find(name);
      if (other == other_names_.end()) break;
      name = other->second;
    }
    return {};
  }

  void unknown(const std::string& name, const std::string& why) {
    leave_out(fmt::format("{}: {}", name, why));
    if (std::string layout = expected(name); !layout.empty()) give(name, std::move(layout));
  }

  void assign(const std::string& name, const Expr& e) {
    const std::string annotation = expected(name);
    const std::string annotated = annotation.empty() ? name : fmt::format("{}: \"{}\"", name, annotation);
    switch (e.kind) {
      case Expr::Kind::Name:
        if (e.text == "None") return;
        if (!known_.contains(e.text)) give(e.text, input_annotation(e.text));
        emit(fmt::format("{} = {}", name, e.text));
        memory_[name] = memory_[e.text];
        known_.insert(name);
        return;
      case Expr::Kind::Index:
        if (e.items[0].kind == Expr::Kind::Name && known_.contains(e.items[0].text)) {
          emit(fmt::format("{} = {}", annotated, source(e)));
          known_.insert(name);
          return;
        }
        break;
      case Expr::Kind::Int:
      case Expr::Kind::Binary:
      case Expr::Kind::Unary:
        if (!e.items.empty() && e.items[0].kind == Expr::Kind::List) break;  // for example `[None] * 2`
        emit(fmt::format("{} = {}", name, value(e)));
        known_.insert(name);
        return;
      case Expr::Kind::Call:
        if (assign_call(name, annotated, e)) return;
        break;
      default:
        break;
    }
    unknown(name, fmt::format("`{}` is not followed", source(e).substr(0, 60)));
  }

  bool assign_call(const std::string& name, const std::string& annotated, const Expr& e) {
    const std::string callee = dotted_name(e.items[0]);
    if (callee.starts_with("empty_strided") || callee == "torch.empty_strided") {
      allocate(name, e, callee, 0);
    } else if (callee.ends_with("alloc_from_pool") && e.items.size() > 5) {
      // Arguments: pool, bytes, dtype, size, stride.
      allocate(name, e, callee, 3);
    } else if (is_view(callee)) {
      reinterpret(name, e);
    } else if (e.items[0].kind == Expr::Kind::Attribute && e.items[0].items[0].kind == Expr::Kind::Name &&
               known_.contains(e.items[0].items[0].text)) {
      const std::string& of = e.items[0].items[0].text;
      const std::string number = is_symbol(name) ? fmt::format("{}: \"Sym({})\"", name, name) : name;
      if (e.items[0].text == "size" && e.items.size() == 2) {
        emit(fmt::format("{} = torch.ops.aten.sym_size.int({}, {})", number, of, value(e.items[1])));
      } else if (e.items[0].text == "item") {
        emit(fmt::format("{} = torch.ops.aten._local_scalar_dense.default({})", number, of));
      } else {
        return false;
      }
      known_.insert(name);
    } else {
      return call_operator(annotated, callee, e) && known_.insert(name).second;
    }
    return true;
  }

  /// Handles a call that is made only because it writes to its arguments. Its result is not assigned.
  void call_statement(const Expr& e) {
    std::string callee = dotted_name(e.items[0]);
    if (call_operator("", callee, e)) return;
    if (callee.ends_with(".run")) callee.resize(callee.size() - 4);
    if (callee.empty()) callee = source(e.items[0]);
    ++calls_;
    if (!first_kernel_) first_kernel_ = number_;
    if (kernels_.insert(callee).second && named_.size() < kNamedKernels) named_.push_back(callee);
  }

  /// Adds a statement for a call of an operator. Returns false if the callee is no operator.
  bool call_operator(const std::string& annotated, const std::string& callee, const Expr& e) {
    constexpr std::string_view kExtern = "extern_kernels.";
    const Expr* out = keyword(e, "out");
    std::string name;
    for (const auto& [written, module] : kCodeModules) {
      if (callee.starts_with(written)) name = fmt::format("{}{}", module, callee.substr(written.size()));
    }
    if (callee.starts_with(kExtern)) {
      const std::string function = callee.substr(kExtern.size());
      name = fmt::format("torch.ops.aten.{}{}", function == "bias_addmm" ? "addmm" : function,
                         out                         ? ".out"
                         : function == "convolution" ? ".default"
                                                     : "");
    }
    if (name.empty()) return false;
    std::vector<std::string> arguments;
    std::string target = annotated;
    for (size_t i = 1; i < e.items.size(); ++i) {
      std::string text = value(e.items[i]);
      if (&e.items[i] == out) {
        const std::string layout = memory_[text].annotation();
        if (target.empty()) target = layout.empty() ? text : fmt::format("{}: \"{}\"", text, layout);
      }
      arguments.push_back(e.keyword(i).empty() ? std::move(text) : fmt::format("{} = {}", e.keyword(i), text));
    }
    emit_source();
    origin_.clear();
    emit(fmt::format("{}{}{}({})", target, target.empty() ? "" : " = ", name, joined(arguments)));
    return true;
  }

  GraphText& g_;
  const GeneratedCode& code_;
  std::string_view text_;
  uint32_t number_ = 0, first_kernel_ = 0, first_check_ = 0;
  int64_t calls_ = 0;
  int views_ = 0;
  std::string device_, origin_;
  std::set<std::string> inputs_, known_;
  std::map<std::string, CodeMemory> memory_, asserted_;
  std::map<std::string, std::string> symbols_, other_names_, numbers_;
  std::set<std::string> kernels_;
  std::vector<std::string> named_;  ///< names of the first kernels in `kernels_`
  std::map<std::string, int> checks_;
};

}  // namespace

bool unpacks_arguments(std::string_view line, std::string_view next) {
  return line.ends_with(" = args") && line.find('#') == line.npos && trimmed(next) == "args.clear()";
}

bool allocates_buffer(std::string_view line) {
  const size_t at = line.find(" = empty_strided_");
  return at != line.npos && is_python_name(trimmed(line.substr(0, at)));
}

void read_output_code(GraphText& g, const std::vector<std::string>& lines) {
  const GeneratedCode code = generated_code_in(lines);
  Translation(g, code).run();
}

}  // namespace ersatz::pasted
