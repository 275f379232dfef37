#include "tools/infer/rule_file.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_map>

#include "runtime/op/dispatch.h"

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view kShapes[] = {"same_as",  "broadcast", "tail",    "head",   "reduced", "replaced",
                                        "inserted", "permuted",  "swapped", "listed", "viewed",  "expanded"};
constexpr std::string_view kDTypes[] = {"constant",       "of_argument", "named",   "promoted", "promoted_tensors",
                                        "promoted_float", "summed",      "real_of", "table"};
constexpr std::string_view kStrides[] = {"contiguous", "preserved", "elementwise", "converted",    "channels_last",
                                         "exact",      "mapped",    "dense_like",  "column_major", "last_two_swapped",
                                         "view_of"};
constexpr std::string_view kOffsets[] = {"zero", "of_argument", "selected"};
constexpr std::string_view kAtoms[] = {"constant", "size", "size_at", "sum_at", "count", "number", "item"};
constexpr std::string_view kExpressions[] = {"plus",  "product", "product3", "sum",     "sum3",
                                             "minus", "floor",   "ceil",     "minimum", "window"};
constexpr size_t kAtomsOf[] = {1, 2, 3, 2, 3, 2, 2, 2, 2, 5};
constexpr std::string_view kConditionNames[] = {"pattern", "number", "rank"};

template <size_t n, class Kind>
std::string_view spelled(const std::string_view (&names)[n], Kind kind) {
  return names[static_cast<size_t>(kind)];
}

/// Parses the rules of a file. Its errors name the file.
class RuleReader {
 public:
  RuleReader(const Json& json, const std::string& file) : json_(json), file_(file) {}

  InferredRule read() {
    InferredRule rule;
    rule.op = text(json_, "op");
    rule.schema = json_.value("schema", "");
    for (const Json& a : list(json_, "arguments")) rule.arguments.push_back(a.get<std::string>());
    arguments_ = static_cast<int64_t>(rule.arguments.size());
    rule.confidence = json_.value("confidence", 0.0);
    for (const Json& s : list(json_, "signatures")) rule.signatures.insert(s.get<std::string>());
    for (const Json& types : list(json_, "dtypes")) {
      auto& set = rule.dtypes.emplace_back();
      for (const Json& t : types) set.insert(dtype(t));
    }
    if (rule.dtypes.size() != rule.arguments.size()) fail("dtypes and arguments differ in number");
    for (const Json& r : list(json_, "results")) {
      ResultRule& result = rule.results.emplace_back();
      cases(r, "shape", result.shape, [&](const Json& j) { return shape(j); });
      cases(r, "dtype", result.dtype, [&](const Json& j) { return dtype_form(j); });
      cases(r, "strides", result.strides, [&](const Json& j) {
        return StrideForm{kind<StrideForm::Kind>(j, kStrides), argument(j, "of")};
      });
      cases(r, "offset", result.offset, [&](const Json& j) {
        return OffsetForm{kind<OffsetForm::Kind>(j, kOffsets), argument(j, "of"), argument(j, "dim"),
                          argument(j, "index")};
      });
      cases(r, "alias", result.alias, [&](const Json& j) {
        return AliasForm{argument(j, "of"), j.value("same", false)};
      });
    }
    return rule;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_argument("{}: no inferred rule: {}", file_, what); }

  const Json& list(const Json& j, const char* key) const {
    const auto at = j.find(key);
    if (at == j.end() || !at->is_array()) fail(fmt::format("'{}' must be a list", key));
    return *at;
  }
  std::string text(const Json& j, const char* key) const {
    const auto at = j.find(key);
    if (at == j.end() || !at->is_string()) fail(fmt::format("'{}' must be a text", key));
    return at->get<std::string>();
  }
  DType dtype(const Json& j) const {
    const auto d = parse_dtype(j.get<std::string>());
    if (!d) fail(fmt::format("'{}' is no dtype", j.get<std::string>()));
    return *d;
  }
  int argument(const Json& j, const char* key) const {
    const int64_t i = j.value(key, int64_t(-1));
    if (i < -1 || i >= arguments_) fail(fmt::format("'{}' {} is no argument of {}", key, i, arguments_));
    return static_cast<int>(i);
  }
  /// Returns an argument number. RAISES if the key is missing.
  int required(const Json& j, const char* key) const {
    const int i = argument(j, key);
    if (i < 0) fail(fmt::format("'{}' is missing", key));
    return i;
  }
  template <class Kind, size_t n>
  Kind kind(const Json& j, const std::string_view (&names)[n]) const {
    const std::string word = text(j, "is");
    for (size_t i = 0; i < n; ++i) {
      if (names[i] == word) return static_cast<Kind>(i);
    }
    fail(fmt::format("'{}' is no form that is known here", word));
  }
  template <class Form, class Read>
  void cases(const Json& result, const char* field, Cases<Form>& to, const Read& read) const {
    for (const Json& j : list(result, field)) {
      Case<Form> c{{}, read(j), {}, 0};
      for (const Json& w : list(j, "when")) {
        Condition condition{kind<Condition::Kind>(w, kConditionNames), argument(w, "argument"),
                            w.value("value", int64_t(0)), w.value("text", "")};
        if (condition.kind != Condition::Kind::Pattern) required(w, "argument");
        c.when.push_back(std::move(condition));
      }
      to.push_back(std::move(c));
    }
  }
  ShapeForm shape(const Json& j) const {
    ShapeForm f{kind<ShapeForm::Kind>(j, kShapes),
                argument(j, "of"),
                argument(j, "attribute"),
                argument(j, "other"),
                j.value("drop", int64_t(0)),
                j.value("keep", 0),
                {}};
    for (const Json& e : j.value("tail", Json::array())) f.tail.push_back(expression(e));
    const bool named = f.kind == ShapeForm::Kind::Replaced || f.kind == ShapeForm::Kind::Inserted;
    if (named && f.tail.size() != 1) fail("'tail' must have one expression");
    if (f.drop < 0) fail("'drop' is negative");
    return f;
  }
  Expression expression(const Json& j) const {
    Expression e{kind<Expression::Kind>(j, kExpressions), {}, j.value("plus", int64_t(0))};
    for (const Json& a : list(j, "atoms")) {
      Atom atom{kind<Atom::Kind>(a, kAtoms), argument(a, "argument"), argument(a, "other"), a.value("dim", int64_t(0)),
                a.value("number", int64_t(0))};
      if (atom.kind != Atom::Kind::Constant) required(a, "argument");
      if (atom.kind == Atom::Kind::SizeAt || atom.kind == Atom::Kind::SumAt) required(a, "other");
      e.atoms.push_back(atom);
    }
    if (e.atoms.size() != kAtomsOf[static_cast<size_t>(e.kind)]) fail("an expression has too few or too many atoms");
    return e;
  }
  DTypeForm dtype_form(const Json& j) const {
    DTypeForm f{kind<DTypeForm::Kind>(j, kDTypes), argument(j, "of"), DType::F32, {}};
    if (f.kind == DTypeForm::Kind::Constant) f.dtype = dtype(j.value("dtype", Json("")));
    if (f.kind == DTypeForm::Kind::Named) required(j, "of");
    const Json table = j.value("table", Json::object());  // a variable, because items() does not keep a temporary alive
    for (const auto& [from, to] : table.items()) f.table[dtype(Json(from))] = dtype(to);
    return f;
  }

  const Json& json_;
  const std::string& file_;
  int64_t arguments_ = 0;
};

void put(Json& j, const char* key, int argument) {
  if (argument >= 0) j[key] = argument;
}

Json form_json(const ShapeForm& f) {
  Json j{{"is", spelled(kShapes, f.kind)}};
  put(j, "of", f.of), put(j, "attribute", f.attribute), put(j, "other", f.other);
  if (f.drop) j["drop"] = f.drop;
  if (f.keep) j["keep"] = f.keep;
  for (const Expression& e : f.tail) {
    Json atoms = Json::array();
    for (const Atom& a : e.atoms) {
      Json atom{{"is", spelled(kAtoms, a.kind)}};
      put(atom, "argument", a.argument), put(atom, "other", a.other);
      if (a.dim) atom["dim"] = a.dim;
      if (a.number) atom["number"] = a.number;
      atoms.push_back(std::move(atom));
    }
    j["tail"].push_back({{"is", spelled(kExpressions, e.kind)}, {"atoms", atoms}, {"plus", e.plus}});
  }
  return j;
}
Json form_json(const DTypeForm& f) {
  Json j{{"is", spelled(kDTypes, f.kind)}};
  put(j, "of", f.of);
  if (f.kind == DTypeForm::Kind::Constant) j["dtype"] = name(f.dtype);
  for (const auto& [from, to] : f.table) j["table"][std::string(name(from))] = name(to);
  return j;
}
Json form_json(const StrideForm& f) {
  Json j{{"is", spelled(kStrides, f.kind)}};
  put(j, "of", f.of);
  return j;
}
Json form_json(const OffsetForm& f) {
  Json j{{"is", spelled(kOffsets, f.kind)}};
  put(j, "of", f.of), put(j, "dim", f.dim), put(j, "index", f.index);
  return j;
}
Json form_json(const AliasForm& f) {
  Json j = Json::object();
  put(j, "of", f.of);
  if (f.same) j["same"] = true;
  return j;
}

template <class Form>
Json cases_json(const Cases<Form>& cases) {
  Json rows = Json::array();
  for (const Case<Form>& c : cases) {
    Json row = form_json(c.form);
    row["when"] = Json::array();
    for (const Condition& w : c.when) {
      Json one{{"is", spelled(kConditionNames, w.kind)}};
      put(one, "argument", w.argument);
      if (w.kind == Condition::Kind::Pattern) {
        one["text"] = w.text;
      } else {
        one["value"] = w.value;
      }
      row["when"].push_back(std::move(one));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Json to_json(const InferredRule& rule) {
  Json j{{"op", rule.op}, {"schema", rule.schema}, {"arguments", rule.arguments}, {"confidence", rule.confidence}};
  j["signatures"] = rule.signatures;
  j["dtypes"] = Json::array();
  for (const auto& set : rule.dtypes) {
    Json names = Json::array();
    for (DType d : set) names.push_back(name(d));
    j["dtypes"].push_back(std::move(names));
  }
  j["results"] = Json::array();
  for (const ResultRule& r : rule.results) {
    j["results"].push_back({{"shape", cases_json(r.shape)},
                            {"dtype", cases_json(r.dtype)},
                            {"strides", cases_json(r.strides)},
                            {"offset", cases_json(r.offset)},
                            {"alias", cases_json(r.alias)}});
  }
  return j;
}

InferredRule rule_from_json(const Json& json, const std::string& file) {
  try {
    return RuleReader(json, file).read();
  } catch (const nlohmann::json::exception& e) {
    fail_argument("{}: no inferred rule: {}", file, e.what());
  }
}

std::string rules_text(std::span<const InferredRule> rules) {
  Json j{{"format", 1}, {"rules", Json::array()}};
  for (const InferredRule& r : rules) j["rules"].push_back(to_json(r));
  return j.dump(1) + "\n";
}

std::vector<InferredRule> parse_rules(std::string_view text, const std::string& file) {
  const Json j = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (j.is_discarded() || !j.is_object() || !j.contains("rules") || !j["rules"].is_array())
    fail_argument("{}: not a file of inferred rules: {{\"format\":1,\"rules\":[..]}} is expected", file);
  if (!j.contains("format") || j["format"] != 1)
    fail_argument("{}: inferred rules of format {}, this version reads 1", file, j.value("format", Json()).dump());
  std::vector<InferredRule> rules;
  for (const Json& r : j["rules"]) rules.push_back(rule_from_json(r, file));
  return rules;
}

namespace {

/// Returns the operator of the rule. If it is unknown, it is registered without kernels, so that its calls can be
/// bound.
const OpEntry& op_of(const InferredRule& rule) {
  if (const OpEntry* op = registry().find(rule.op); op && op->name == rule.op) return *op;
  if (rule.schema.empty()) {
    fail_argument(
        "{} is not registered, and its inferred rule has no schema: load the plugin that has it, or record calls of it "
        "with ersatz.torch.record, which writes schemas",
        rule.op);
  }
  const FunctionSchema schema = parse_schema(rule.schema);
  if (schema.qualified_name() != rule.op) {
    fail_argument("{}: its inferred rule has the schema of another operator, {}", rule.op, rule.schema);
  }
  return registry().add(rule.schema, "an inferred rule").tag(Tag::Foreign);
}

}  // namespace

std::function<bool(const OpEntry&, std::span<const Value>, RuleResult&)> inferred_answers(
    std::vector<InferredRule> rules) {
  std::unordered_map<const OpEntry*, InferredRule> by_op;
  for (InferredRule& rule : rules) {
    const OpEntry& op = op_of(rule);
    bool alike = op.schema.arguments.size() == rule.arguments.size();
    for (size_t i = 0; alike && i < rule.arguments.size(); ++i)
      alike = op.schema.arguments[i].name == rule.arguments[i];
    if (!alike) fail_argument("{}: its inferred rule is for other arguments: infer it again", rule.op);
    by_op.insert_or_assign(&op, std::move(rule));
  }
  return [by_op = std::move(by_op)](const OpEntry& op, std::span<const Value> args, RuleResult& result) {
    const auto at = by_op.find(&op);
    if (at == by_op.end()) return false;
    const auto seen = seen_arguments(args);
    const auto predicted = seen ? predict(at->second, *seen) : std::nullopt;
    if (!predicted) return false;
    std::vector<TensorImpl*> tensors;
    for_each_tensor(args, [&](TensorImpl* t) { tensors.push_back(t); });
    for (const SeenResult& r : *predicted) {
      if (r.is >= 0) {
        result.same(tensors[static_cast<size_t>(r.is)]);
      } else if (r.storage_of >= 0) {
        result.view(tensors[static_cast<size_t>(r.storage_of)], tensor_meta(r.meta));
      } else {
        result.fresh(tensor_meta(r.meta));
      }
    }
    return true;
  };
}

std::function<bool(const OpEntry&, std::span<const Value>, RuleResult&)> load_inferred_rules(
    const std::vector<std::string>& files) {
  std::vector<InferredRule> rules;
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) fail_argument("{}: cannot be read", file);
    for (InferredRule& r : parse_rules(text.str(), file)) rules.push_back(std::move(r));
  }
  return inferred_answers(std::move(rules));
}

}  // namespace ersatz::tools
