#include "tracer/program/dynamic_inputs.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "runtime/base/suggestion.h"
#include "runtime/tensor/symbolic_layout.h"
#include "tracer/program/symbol_values.h"

namespace ersatz {

namespace {

constexpr std::string_view kForm = "INPUT:DIM=EXPR[:LO..HI][@HINT|?], like x:0=batch:1..64, or auto";

[[noreturn]] void refuse(const std::string& word, std::string_view why) {
  fail_argument("--dynamic {}: {}; expected {}", word, why, kForm);
}

int64_t integer(const std::string& word, std::string_view text, std::string_view what) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc::result_out_of_range) refuse(word, fmt::format("{} '{}' does not fit 64 bits", what, text));
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(word, fmt::format("{} '{}' is no integer", what, text));
  }
  return n;
}

void parse_range(DynamicSize& d, std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == text.npos) refuse(d.text, fmt::format("'{}' is no range LO..HI", text));
  d.ranged = true;
  const std::string_view low = text.substr(0, dots), high = text.substr(dots + 2);
  d.min = low.empty() ? 0 : integer(d.text, low, "the bound");
  if (!high.empty()) d.max = integer(d.text, high, "the bound");
  if (*d.min < 0) refuse(d.text, "a size is at least 0");
  if (d.max && *d.max < *d.min) refuse(d.text, fmt::format("the range {}..{} is empty", *d.min, *d.max));
}

DynamicSize parse_word(const std::string& word) {
  DynamicSize d;
  d.text = word;
  const size_t equals = word.find('=');
  if (equals == word.npos) refuse(word, "there is no '='");
  const std::string_view left = std::string_view(word).substr(0, equals);
  std::string_view right = std::string_view(word).substr(equals + 1);
  const size_t colon = left.rfind(':');
  d.input = left.substr(0, colon);
  if (d.input.empty()) refuse(word, "no input is named");
  if (colon != left.npos) d.dim = integer(word, left.substr(colon + 1), "the dim");
  if (right.ends_with('?')) {
    d.unbacked = true;
    right.remove_suffix(1);
  }
  if (const size_t at = right.find('@'); at != right.npos) {
    if (d.unbacked) refuse(word, "a size has an example (@) or none (?), not both");
    d.hint = integer(word, right.substr(at + 1), "the example");
    right = right.substr(0, at);
  }
  if (const size_t range = right.find(':'); range != right.npos) {
    parse_range(d, right.substr(range + 1));
    right = right.substr(0, range);
  }
  if (right.empty()) refuse(word, "no size is named");
  d.size = right;
  if (d.hint && (*d.hint < d.min.value_or(0) || *d.hint > d.max.value_or(INT64_MAX))) {
    refuse(word, fmt::format("the example {} lies outside of the range", *d.hint));
  }
  return d;
}

/// Makes sizes of one program symbolic, as DynamicInputs declares.
class Declaration {
 public:
  explicit Declaration(Program& program) : program_(program), known_(program) {}

  void add(const DynamicSize& d) {
    Row row;
    row.declared = d;
    row.input = input_of(d);
    const GraphValue& value = program_.main().values[row.input->value];
    if (const TensorMeta* meta = program_.meta(value)) {
      row.dim = dim_of(d, meta->sizes.size());
      row.before = meta->sizes[*row.dim];
    } else {
      row.before = number_of(d, value);
    }
    row.size = size_of(d);
    if (row.size.is_int()) refuse(d.text, fmt::format("{} is a number: it needs no declaration", d.size));
    for (const Row& r : rows_) {
      if (r.input == row.input && r.dim == row.dim && !sym_eq(r.size, row.size)) {
        refuse(d.text, fmt::format("the same size is {} by {}", r.size, r.declared.text));
      }
    }
    if (row.before.is_symbolic() && !sym_eq(row.before, row.size)) {
      refuse(d.text, fmt::format("the program has {} there: that is its name", row.before));
    }
    rows_.push_back(std::move(row));
  }

  void add_all() {
    int next = 0;
    for (const GraphInput& in : program_.main().inputs) {
      const TensorMeta* meta = program_.meta(program_.main().values[in.value]);
      if (in.kind != InputKind::UserInput || !meta) continue;
      const std::string name(program_.name(program_.main().values[in.value].name));
      for (size_t k = 0; k < meta->sizes.size(); ++k) {
        if (meta->sizes[k].is_symbolic() || declared(&in, k)) continue;
        while (program_.env->find_symbol(fmt::format("s{}", next))) ++next;
        DynamicSize d;
        d.text = fmt::format("auto: {}:{}", name, k);
        d.input = name;
        d.dim = static_cast<int64_t>(k);
        d.size = fmt::format("s{}", next);
        add(d);
      }
    }
  }

  std::vector<std::string> conclude() {
    solve();
    for (Row& r : rows_) bound(r);
    for (const GraphInput& in : program_.main().inputs) put(in);
    return names_;
  }

 private:
  struct Row {
    DynamicSize declared;
    const GraphInput* input = nullptr;
    std::optional<size_t> dim;
    SymInt before, size;
  };

  std::string_view name_of(const GraphInput& in) const { return program_.name(program_.main().values[in.value].name); }

  const GraphInput* input_of(const DynamicSize& d) const {
    std::vector<std::string> user;
    for (const GraphInput& in : program_.main().inputs) {
      if (name_of(in) == d.input) {
        if (in.kind == InputKind::UserInput) return &in;
        refuse(d.text, fmt::format("{} is a {}, and its sizes are stored with the program", d.input, name(in.kind)));
      }
      if (in.kind == InputKind::UserInput) user.emplace_back(name_of(in));
    }
    refuse(d.text, fmt::format("the program takes no input '{}': it takes {}", d.input, fmt::join(user, ", ")));
  }

  static size_t dim_of(const DynamicSize& d, size_t rank) {
    if (!d.dim) refuse(d.text, fmt::format("{} is a tensor: which of its {} dims?", d.input, rank));
    const int64_t n = static_cast<int64_t>(rank), at = *d.dim < 0 ? *d.dim + n : *d.dim;
    if (at < 0 || at >= n) refuse(d.text, fmt::format("{} has {} dims", d.input, rank));
    return static_cast<size_t>(at);
  }

  SymInt number_of(const DynamicSize& d, const GraphValue& value) const {
    if (d.dim) refuse(d.text, fmt::format("{} is no tensor", d.input));
    if (value.record == kNone || program_.literals[value.record].kind() != Value::Kind::Int) {
      refuse(d.text, fmt::format("{} is no integer", d.input));
    }
    return program_.literals[value.record].as_int();
  }

  SymInt size_of(const DynamicSize& d) const {
    try {
      return program_.env->parse(d.size);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      refuse(d.text.size() > 80 ? d.text.substr(0, 80) + "..." : d.text, e.message);
    }
  }

  bool declared(const GraphInput* in, size_t dim) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row& r) { return r.input == in && r.dim == dim; });
  }

  /// Computes the values of the symbols from the recorded sizes and from the given examples (`@8`).
  void solve() {
    SymbolValues recorded(program_);
    for (size_t pass = 0; pass <= rows_.size(); ++pass) {
      for (const Row& r : rows_) {
        if (r.before.is_int()) recorded.observe(r.size, r.before.as_int());
        if (r.declared.hint) known_.observe(r.size, *r.declared.hint);
      }
    }
    // A symbol without an example gets the value that the recorded size gives it.
    for (const auto& [symbol, value] : recorded.bound()) known_.bind(symbol, value);
    for (const Row& r : rows_) {
      if (r.before.is_symbolic()) continue;
      const auto now = recorded.evaluate(r.size);
      if (!now) refuse(r.declared.text, fmt::format("no value of {} makes the recorded size {}", r.size, r.before));
      if (*now == r.before.as_int()) continue;
      refuse(r.declared.text,
             fmt::format("{} is {} by the recorded size of another input, and {} here", r.size, *now, r.before));
    }
    for (const Row& r : rows_) {
      const auto now = known_.evaluate(r.size);
      if (r.declared.hint && now != r.declared.hint) {
        refuse(r.declared.text, fmt::format("{} is {} by another example", r.size, now.value_or(0)));
      }
    }
  }

  std::vector<std::string> symbols_in(SymInt v) const {
    std::vector<std::string> found;
    evaluate(v, [&](std::string_view name) -> std::optional<int64_t> {
      if (std::find(found.begin(), found.end(), name) == found.end()) found.emplace_back(name);
      return 1;
    });
    return found;
  }

  /// Declares the bounds of a size. If the size is linear in a single symbol, they become bounds of the symbol, else a
  /// constraint of the program.
  void bound(const Row& r) {
    const DynamicSize& d = r.declared;
    const std::vector<std::string> symbols = symbols_in(r.size);
    for (const std::string& s : symbols) {
      const bool fresh = std::find(names_.begin(), names_.end(), s) == names_.end();
      if (fresh) names_.push_back(s);
      const SymbolInfo* before = program_.env->find_symbol(s);
      SymbolInfo info = *before;
      if (fresh && !before->hint && r.before.is_int()) info.min = 1;
      if (!d.unbacked) info.hint = known_.find(s);
      if (info.hint && *info.hint < info.min) info.min = *info.hint;
      if (symbols.size() == 1 && (d.ranged)) narrow(r, info);
      if (r.before.is_symbolic()) require_recorded(*before, info, d);
      set(info, d);
    }
    if (!d.ranged || symbols.size() == 1) return;
    program_.constraints.push_back({r.size, d.min, d.max});
  }

  void narrow(const Row& r, SymbolInfo& info) {
    const auto at = [&](int64_t x) { return evaluate(r.size, [x](std::string_view) { return std::optional(x); }); };
    const auto y0 = at(0), y1 = at(1), y2 = at(2);
    if (!y0 || !y1 || !y2 || *y1 <= *y0 || *y2 - *y1 != *y1 - *y0) {
      program_.constraints.push_back({r.size, r.declared.min, r.declared.max});
      return;
    }
    const int64_t slope = *y1 - *y0;
    const auto up = [&](int64_t v) { return v / slope + (v % slope > 0); };
    const auto down = [&](int64_t v) { return v / slope - (v % slope < 0); };
    info.min = up(r.declared.min.value_or(0) - *y0);
    if (r.declared.max) info.max = down(*r.declared.max - *y0);
  }

  /// RAISES InvalidArgument if the range is wider than the range that the program has for the symbol.
  static void require_recorded(const SymbolInfo& recorded, const SymbolInfo& asked, const DynamicSize& d) {
    const int64_t hint = asked.hint.value_or(recorded.min);
    if (asked.min >= recorded.min && asked.max <= recorded.max && hint >= recorded.min && hint <= recorded.max) return;
    refuse(d.text,
           fmt::format("the program has {} in {}..{}; a wider range is a change of its `symbol` line in the text "
                       "form, which `ersatz show` prints",
                       recorded.name, recorded.min, recorded.max == INT64_MAX ? "" : std::to_string(recorded.max)));
  }

  void set(const SymbolInfo& info, const DynamicSize& d) {
    if (info.max < info.min) refuse(d.text, fmt::format("no {} makes {} lie in its range", info.name, d.size));
    if (info.hint && (*info.hint < info.min || *info.hint > info.max)) {
      refuse(d.text, fmt::format("the example size makes {} {}, outside of its range; @ gives another example",
                                 info.name, *info.hint));
    }
    program_.env->symbol(info);
  }

  /// Writes the declared sizes into the input's recorded metadata. A stride that was a product of sizes becomes a
  /// product of the new sizes.
  void put(const GraphInput& in) {
    GraphValue& value = program_.main().values[in.value];
    const TensorMeta* recorded = program_.meta(value);
    if (!recorded) {
      for (const Row& r : rows_) {
        if (r.input == &in) value.record = program_.add_literal(Value(r.size)).index;
      }
      return;
    }
    TensorMeta meta = *recorded;
    bool changed = false;
    for (const Row& r : rows_) {
      if (r.input != &in || r.before.is_symbolic()) continue;
      meta.sizes[*r.dim] = r.size;
      changed = true;
    }
    if (!changed) return;
    meta.strides = strides_over(meta.sizes, *recorded);
    value.record = program_.add_meta(meta);
  }

  Program& program_;
  SymbolValues known_;
  std::vector<Row> rows_;
  std::vector<std::string> names_;
};

}  // namespace

DynamicInputs parse_dynamic_inputs(std::span<const std::string> words) {
  DynamicInputs dynamic;
  for (const std::string& word : words) {
    if (word == "auto") {
      dynamic.all = true;
    } else {
      dynamic.sizes.push_back(parse_word(word));
    }
  }
  return dynamic;
}

std::vector<std::string> make_dynamic(Program& program, const DynamicInputs& dynamic) {
  Declaration declaration(program);
  for (const DynamicSize& d : dynamic.sizes) declaration.add(d);
  if (dynamic.all) declaration.add_all();
  return declaration.conclude();
}

}  // namespace ersatz
