// Parser of function bodies: registers, parameters of calls, labels and instructions.
#include <cctype>
#include <mutex>
#include <optional>

#include "tests/ptx/declaration.h"
#include "tests/ptx/parser.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

class BodyParser final : public Names {
 public:
  explicit BodyParser(Function& f) : f_(f), text_(f.body) {}

  void parse() {
    place_shared_of_module();
    scopes_.emplace_back();
    while (skip_space()) parse_next();
    for (const auto& [at, label] : jumps_) {
      const auto target = labels_.find(label);
      if (target == labels_.end()) refuse("no label " + std::string(label));
      f_.code[at].target = target->second;
    }
    f_.code.push_back(end_of_function());
  }

  void to(Instruction& i, std::string_view name) override {
    if (i.to_count == Instruction::kMost) refuse("too many results");
    const int32_t slot = name == "_" ? -1 : slot_of(name);
    if (slot < 0 && name != "_") refuse("no register " + std::string(name));
    i.to[i.to_count++] = slot;
  }
  void from(Instruction& i, std::string_view operand) override {
    if (i.from_count == Instruction::kMost) refuse("too many operands");
    i.from[i.from_count++] = operand_of(operand);
  }
  void address(Instruction& i, std::string_view text) override {
    if (text.size() < 3 || text.front() != '[' || text.back() != ']') refuse("an address is in brackets");
    const auto [name, offset] = with_offset(trimmed(text.substr(1, text.size() - 2)));
    i.offset = offset;
    if (const int32_t slot = slot_of(name); slot >= 0) {
      i.from[i.from_count++].slot = slot;
    } else if (frame_address(i, name)) {
      i.offset += offset;
      ++i.from_count;
    } else {
      i.from[i.from_count++] = operand_of(name);
    }
  }
  bool frame_address(Instruction& i, std::string_view name) override {
    if (const Area* p = find_parameter(name)) {
      i.base = Base::Parameters;
      i.offset = p->offset;
    } else if (const auto of_function = f_.offsets.find(name); of_function != f_.offsets.end()) {
      i.base = Base::Parameters;
      i.offset = of_function->second;
    } else if (const auto local = locals_.find(name); local != locals_.end()) {
      i.base = Base::Locals;
      i.offset = local->second;
    } else {
      return false;
    }
    return true;
  }
  void jump(Instruction&, std::string_view label) override { jumps_.emplace_back(f_.code.size(), label); }
  Area parameter(std::string_view name) override {
    const Area* p = find_parameter(name);
    if (!p) refuse("no parameter " + std::string(name));
    return *p;
  }
  Function* function(std::string_view name) override {
    const auto known = f_.module->functions.find(std::string(name));
    if (known == f_.module->functions.end()) refuse("no function " + std::string(name));
    return known->second.get();
  }
  [[noreturn]] void refuse(std::string_view what) override {
    throw ParseError(f_.module->name + ": " + readable(f_.name) + ": line " + std::to_string(line_) + ": " +
                     std::string(what) + ": " + std::string(statement_.substr(0, 200)));
  }

 private:
  struct Scope {
    std::map<std::string, int32_t, std::less<>> registers;
    std::map<std::string, int32_t, std::less<>> counted;  ///< first slot of a counted declaration `%r<8>`
    std::map<std::string, Area, std::less<>> parameters;
  };

  bool skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) line_ += text_[at_++] == '\n';
    return at_ < text_.size();
  }

  void parse_next() {
    const char c = text_[at_];
    if (c == '{') scopes_.emplace_back();
    if (c == '}' && scopes_.size() == 1) refuse("a brace closes nothing");
    if (c == '}') scopes_.pop_back();
    if (c == '{' || c == '}' || c == ';') {
      ++at_;
      return;
    }
    size_t end = at_;
    while (end < text_.size() && is_of_name(text_[end])) ++end;
    if (end > at_ && end < text_.size() && text_[end] == ':') {
      labels_[text_.substr(at_, end - at_)] = static_cast<int32_t>(f_.code.size());
      at_ = end + 1;
      return;
    }
    end = std::min(text_.find(';', at_), text_.size());
    statement_ = trimmed(text_.substr(at_, end - at_));
    if (end == text_.size()) refuse("a statement does not end");
    if (statement_[0] == '.') {
      directive();
    } else {
      instruction();
    }
    for (; at_ <= end; ++at_) line_ += text_[at_] == '\n';
  }

  void directive() {
    const auto is = [&](std::string_view word) { return statement_.starts_with(word); };
    if (is(".pragma") || is(".loc\t") || is(".loc ") || is(".branchtargets")) return;
    if (is(".reg")) return declare_registers();
    const Declaration d = parse_declaration(statement_);
    if (d.name.empty() || d.type.empty()) refuse("this directive is not known");
    if (is(".param")) {
      f_.parameter_bytes = static_cast<int32_t>(aligned(f_.parameter_bytes, 16));
      scopes_.back().parameters[std::string(d.name)] = {f_.parameter_bytes, static_cast<int32_t>(d.bytes())};
      f_.parameter_bytes += static_cast<int32_t>(d.bytes());
    } else if (is(".local")) {
      f_.local_bytes = static_cast<int32_t>(aligned(f_.local_bytes, 16));
      locals_[std::string(d.name)] = f_.local_bytes;
      f_.local_bytes += static_cast<int32_t>(d.bytes());
    } else if (is(".shared")) {
      place_shared(d.name, static_cast<int32_t>(d.bytes()));
    } else {
      refuse("this directive is not known");
    }
  }
  /// Parses `.reg .b32 %r<10>, %x`.
  void declare_registers() {
    const size_t type = statement_.find('.', 1), names = statement_.find_first_of(" \t", type);
    if (type == statement_.npos || names == statement_.npos) refuse("registers have a type and names");
    for (std::string_view name : split(statement_.substr(names))) {
      const size_t count = name.find('<');
      if (count == name.npos) {
        scopes_.back().registers[std::string(name)] = f_.slots++;
      } else {
        scopes_.back().counted[std::string(trimmed(name.substr(0, count)))] = f_.slots;
        f_.slots += static_cast<int32_t>(number(name.substr(count + 1, name.find('>') - count - 1)));
      }
    }
  }

  // Variables of shared memory are placed one after the other. Variables whose size the launch gives come last.
  void place_shared(std::string_view name, int32_t bytes) {
    const auto at = static_cast<int32_t>(aligned(f_.static_shared_bytes, 128));
    shared_[std::string(name)] = at;
    f_.static_shared_bytes = static_cast<int32_t>(aligned(at + bytes, 16));
  }
  void place_shared_of_module() {
    for (const auto& [name, bytes] : f_.module->shared) {
      if (bytes >= 0 && text_.find(name) != text_.npos) place_shared(name, bytes);
    }
  }
  /// Returns the address of a shared variable; nullopt for other names.
  std::optional<uint64_t> shared_address(std::string_view name) {
    const auto placed = shared_.find(name);
    const auto of_module = f_.module->shared.find(name);
    if (placed == shared_.end() && of_module == f_.module->shared.end()) return std::nullopt;
    if (!f_.is_kernel) refuse("shared memory is known in kernels alone, not in functions that they call");
    const int32_t at = placed != shared_.end() ? placed->second : f_.static_shared_bytes;
    return kSharedBase + static_cast<uint64_t>(at);
  }

  int32_t slot_of(std::string_view name) const {
    size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
    for (size_t k = scopes_.size(); k-- > 0;) {
      const Scope& s = scopes_[k];
      if (const auto named = s.registers.find(name); named != s.registers.end()) return named->second;
      if (digits == name.size()) continue;
      const auto counted = s.counted.find(name.substr(0, digits));
      if (counted != s.counted.end()) return counted->second + static_cast<int32_t>(number(name.substr(digits)));
    }
    return -1;
  }
  const Area* find_parameter(std::string_view name) const {
    for (size_t k = scopes_.size(); k-- > 0;) {
      const auto known = scopes_[k].parameters.find(name);
      if (known != scopes_[k].parameters.end()) return &known->second;
    }
    return nullptr;
  }
  /// Splits `name+8`, `name-8` or a plain name into name and offset.
  static std::pair<std::string_view, int64_t> with_offset(std::string_view text) {
    const size_t sign = text.find_last_of("+-");
    if (sign == text.npos || sign == 0) return {text, 0};
    const std::string_view digits = trimmed(text.substr(sign + 1));
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
      return {text, 0};
    std::string_view name = trimmed(text.substr(0, sign));
    const bool doubled = !name.empty() && name.back() == '+';  // `name+-8`
    if (doubled) name = trimmed(name.substr(0, name.size() - 1));
    const auto offset = static_cast<int64_t>(number(digits));
    return {name, text[sign] == '-' ? -offset : offset};
  }
  Operand operand_of(std::string_view text) {
    Operand o;
    if (!text.empty() && text[0] == '!') {
      o.negated = true;
      text = trimmed(text.substr(1));
    }
    if (text.empty()) refuse("an operand is missing");
    if (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-') {
      o.bits = number(text);
    } else if (text == "WARP_SZ") {
      o.bits = 32;
    } else if (const int32_t slot = slot_of(text); slot >= 0) {
      o.slot = slot;
    } else {
      const auto [name, offset] = with_offset(text);
      const auto variable = f_.module->variables.find(std::string(name));
      const std::optional<uint64_t> shared = variable == f_.module->variables.end()
                                                 ? shared_address(name)
                                                 : reinterpret_cast<uint64_t>(variable->second.data);
      if (!shared) refuse("no operand " + std::string(text));
      o.bits = *shared + static_cast<uint64_t>(offset);
    }
    return o;
  }

  void instruction() {
    Instruction i;
    i.line = line_;
    Statement s{statement_, line_, {}, {}};
    std::string_view rest = statement_;
    if (rest[0] == '@') {
      const size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
      std::string_view guard = rest.substr(1, end - 1);
      i.guard_negated = guard.starts_with('!');
      i.guard = slot_of(guard.substr(i.guard_negated));
      if (i.guard < 0) refuse("no predicate guards this");
      rest = trimmed(rest.substr(end));
    }
    const size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
    s.words = split(rest.substr(0, end), '.');
    s.operands = split(rest.substr(end));
    if (s.words.empty()) refuse("an instruction without an opcode");
    const bool is_known = parse_arithmetic(s, *this, i) || parse_bits(s, *this, i) || parse_conversion(s, *this, i) ||
                          parse_memory(s, *this, i) || parse_collective(s, *this, i) || parse_control(s, *this, i);
    if (!is_known) refuse("this instruction is not known");
    f_.sleeps |= s.opcode() == "nanosleep";
    f_.code.push_back(std::move(i));
  }

  Function& f_;
  std::string_view text_, statement_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  std::vector<Scope> scopes_;
  std::map<std::string_view, int32_t> labels_;
  std::vector<std::pair<size_t, std::string_view>> jumps_;
  std::map<std::string, int32_t, std::less<>> locals_, shared_;
};

}  // namespace

void parse_body(Function& f) {
  static std::recursive_mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (f.is_parsed) return;
  const int32_t parameter_bytes = f.parameter_bytes;
  try {
    BodyParser(f).parse();
  } catch (...) {  // the error is kept: later calls raise it again
    f.code.clear();
    f.slots = f.local_bytes = f.static_shared_bytes = 0;
    f.parameter_bytes = parameter_bytes;
    throw;
  }
  f.is_parsed = true;
}

}  // namespace ersatz::ptx
