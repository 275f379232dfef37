#include "tracer/pasted/fx_graph_runnable.h"

#include "runtime/base/error.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

class LoadArgs {
 public:
  LoadArgs(GraphHints& hints) : hints_(hints) {}

  void line(std::string_view text) {
    written_ = text;
    const size_t reader = text.find("reader.");
    if (reader == text.npos) return symbol_value(text);
    for (const PyStatement& s : parse_statements(text)) {
      if (!s.value || s.value->kind != Expr::Kind::Call) continue;
      const std::string callee = dotted_name(s.value->items[0]);
      if (callee == "reader.storage" && s.targets.size() == 1) {
        devices_[s.targets[0].text] = device_of(*s.value);
      } else if (callee == "reader.tensor") {
        tensor(*s.value);
      } else if (callee == "reader.symint" || callee == "reader.unsupported") {
        number(*s.value);
      }
    }
  }

 private:
  /// Parses a line like `s23 = 3`.
  void symbol_value(std::string_view text) {
    const size_t equals = text.find(" = ");
    if (equals == text.npos || equals < 2 || equals > 24 || (text[0] != 's' && text[0] != 'u')) return;
    if (!whole_number(text.substr(1, equals - 1))) return;
    if (const auto value = whole_number(trimmed(text.substr(equals + 3))))
      hints_.symbols[std::string(text.substr(0, equals))].value = value;
  }

  std::string written(const Expr& e) const { return std::string(written_.substr(e.begin, e.end - e.begin)); }

  static const Expr* keyword(const Expr& call, std::string_view name) {
    for (size_t i = 1; i < call.items.size(); ++i) {
      if (call.keyword(i) == name) return &call.items[i];
    }
    return nullptr;
  }

  static std::string device_of(const Expr& call) {
    const Expr* device = keyword(call, "device");
    if (!device || device->kind != Expr::Kind::Call) return "cpu";
    std::string type = "cpu";
    std::string index;
    for (size_t i = 1; i < device->items.size(); ++i) {
      const Expr& item = device->items[i];
      if (item.kind == Expr::Kind::String) type = item.text;
      if (item.kind == Expr::Kind::Int) index = item.text;
    }
    return index.empty() || type == "cpu" ? type : type + ":" + index;
  }

  std::vector<std::string> expressions(const Expr& e) const {
    std::vector<std::string> out;
    if (e.kind != Expr::Kind::Tuple && e.kind != Expr::Kind::List)
      fail_argument("'{}' is no list of sizes", written(e));
    for (const Expr& item : e.items) out.push_back(written(item));
    return out;
  }

  void tensor(const Expr& call) {
    Annotation a;
    a.kind = Annotation::Kind::Tensor;
    a.dtype = "float32";
    std::vector<const Expr*> positional;
    for (size_t i = 1; i < call.items.size(); ++i) {
      if (call.keyword(i).empty()) positional.push_back(&call.items[i]);
    }
    if (positional.size() < 2) fail_argument("reader.tensor without sizes");
    a.device = "cpu";
    if (const auto found = devices_.find(positional[0]->text); found != devices_.end()) a.device = found->second;
    a.sizes = expressions(*positional[1]);
    const Expr* strides = positional.size() > 2 ? positional[2] : keyword(call, "stride");
    if (strides && !strides->is_name("None")) a.strides = expressions(*strides);
    if (a.strides && a.strides->size() != a.sizes.size())
      fail_argument("reader.tensor: {} sizes but {} strides", a.sizes.size(), a.strides->size());
    if (const Expr* dtype = keyword(call, "dtype")) a.dtype = dotted_name(*dtype);
    if (const Expr* offset = keyword(call, "storage_offset")) a.offset = written(*offset);
    a.row_major = !a.strides;
    hints_.inputs.push_back(std::move(a));
  }

  void number(const Expr& call) {
    Annotation a;
    a.kind = Annotation::Kind::Number;
    if (const Expr* expr = keyword(call, "expr"); expr && expr->kind == Expr::Kind::String) {
      a.expression = expr->text;
      if (call.items.size() > 1 && call.items[1].kind == Expr::Kind::Int && expr->text.size() > 1 &&
          whole_number(std::string_view(expr->text).substr(1)))
        hints_.symbols[expr->text].value = whole_number(call.items[1].text);
    } else if (call.items.size() > 1) {
      a.expression = written(call.items[1]);
    }
    hints_.inputs.push_back(std::move(a));
  }

  GraphHints& hints_;
  std::map<std::string, std::string, std::less<>> devices_;  // storage name -> its device
  std::string_view written_;
};

}  // namespace

void read_load_args(std::span<const CleanLine* const> lines, GraphHints& hints, std::vector<Unread>& unread) {
  LoadArgs reader(hints);
  for (const CleanLine* line : lines) {
    const std::string_view text = trimmed(line->text);
    if (text.empty() || text[0] == '#' || text.size() > kMaxLine) continue;
    try {
      reader.line(text);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      unread.push_back({line->number, e.message});
    }
  }
}

}  // namespace ersatz::pasted
