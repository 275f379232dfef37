// Writes an inferred rule as C++ code for a plugin: helper functions in a namespace of their own, then the rule.
#include <algorithm>

#include "tools/infer/infer.h"

namespace ersatz::tools {

namespace {

/// A function that rules call. In kHelpers, each helper comes after the helpers that it calls.
struct Helper {
  std::string_view name, text;
};
constexpr Helper kHelpers[] = {
    {"ceil_div", R"(inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; })"},
    {"window", R"(inline int64_t window(int64_t n, int64_t k, int64_t s, int64_t p, int64_t d) {
  return (n + 2 * p - d * (k - 1) - 1) / s + 1;
})"},
    {"wrap",
     R"(inline size_t wrap(int64_t d, size_t rank) { return static_cast<size_t>(d < 0 ? d + static_cast<int64_t>(rank) : d); })"},
    {"item", R"(inline int64_t item(const Dims& v, size_t i) { return v.size() == 1 ? v[0] : v.at(i); })"},
    {"tail", R"(inline Dims tail(Dims v, size_t drop, const Dims& own) {
  v.resize(v.size() - drop);
  v.insert(v.end(), own.begin(), own.end());
  return v;
})"},
    {"head", R"(inline Dims head(const Dims& v, size_t drop, Dims own) {
  own.insert(own.end(), v.begin() + static_cast<int64_t>(drop), v.end());
  return own;
})"},
    {"reduced", R"(inline Dims reduced(const Dims& v, Dims dims, bool keep, bool ones) {
  if (dims.empty()) for (size_t d = 0; d < v.size(); ++d) dims.push_back(static_cast<int64_t>(d));
  Dims out;
  for (size_t d = 0; d < v.size(); ++d) {
    bool gone = false;
    for (int64_t at : dims) gone = gone || wrap(at, v.size()) == d;
    if (!gone || keep) out.push_back(gone && ones ? 1 : v[d]);
  }
  return out;
})"},
    {"replaced", R"(inline Dims replaced(Dims v, int64_t dim, int64_t n) {
  v.at(wrap(dim, v.size())) = n;
  return v;
})"},
    {"inserted", R"(inline Dims inserted(Dims v, int64_t dim, int64_t n) {
  v.insert(v.begin() + static_cast<int64_t>(wrap(dim, v.size() + 1)), n);
  return v;
})"},
    {"permuted", R"(inline Dims permuted(const Dims& v, const Dims& order) {
  Dims out;
  for (int64_t d : order) out.push_back(v.at(wrap(d, v.size())));
  return out;
})"},
    {"swapped", R"(inline Dims swapped(Dims v, int64_t a, int64_t b) {
  if (!v.empty()) std::swap(v.at(wrap(a, v.size())), v.at(wrap(b, v.size())));
  return v;
})"},
    {"last_two_swapped", R"(inline Dims last_two_swapped(const Dims& sizes) {
  const size_t n = sizes.size();
  Dims strides = contiguous(sizes);
  strides[n - 2] = 1;
  strides[n - 1] = sizes[n - 2] > 1 ? sizes[n - 2] : 1;
  return strides;
})"},
    {"broadcast", R"(inline void broadcast(Dims& sizes, const Dims& more) {
  if (more.size() > sizes.size()) sizes.insert(sizes.begin(), more.size() - sizes.size(), 1);
  for (size_t k = 1; k <= more.size(); ++k) {
    int64_t& n = sizes[sizes.size() - k];
    const int64_t m = more[more.size() - k];
    require(n == m || n == 1 || m == 1, "I1", "the sizes do not broadcast");
    if (n == 1) n = m;
  }
})"},
};

/// Returns the rule's code after the code of the helpers that it needs.
std::string with_helpers(const std::string& rule) {
  std::string used;
  for (size_t k = std::size(kHelpers); k-- > 0;) {
    const std::string called = fmt::format("{}(", kHelpers[k].name);
    if (rule.find("inferred::" + called) == std::string::npos && used.find(called) == std::string::npos) continue;
    used = std::string(kHelpers[k].text) + "\n" + used;
  }
  return (used.empty() ? used : fmt::format("namespace inferred {{\n{}}}  // namespace inferred\n\n", used)) + rule;
}

/// Raised for a part of a rule that the generated C++ cannot express.
struct NotSaid {
  std::string why;
};

class RuleWriter {
 public:
  RuleWriter(const InferredRule& rule, const FunctionSchema& schema) : rule_(rule), schema_(schema) {}

  std::string write() {
    std::string parameters, body, returned, type;
    for (const Argument& a : schema_.arguments)
      parameters += (parameters.empty() ? "" : ", ") + type_of(a) + " " + a.name;
    for (size_t k = 0; k < rule_.results.size(); ++k) {
      body += result(rule_.results[k], k);
      returned += fmt::format("{}result{}", k ? ", " : "", k);
      type += k ? ", Meta" : "Meta";
    }
    if (rule_.results.size() != 1) {
      type = rule_.results.empty() ? "void" : "std::tuple<" + type + ">";
      returned = "{" + returned + "}";
    }
    const std::string back = rule_.results.empty() ? "" : "  return " + returned + ";\n";
    return with_helpers(fmt::format(
        "// {}: inferred from calls of its kernel, confidence {:.4f}. It says what those calls returned and "
        "refuses\n// none: checks of arguments are yours to add.\n{} {}_rule({}) {{\n{}{}}}\n",
        rule_.op, rule_.confidence, type, schema_.base, parameters, body, back));
  }

 private:
  const Argument& declared(int i) const { return schema_.arguments[static_cast<size_t>(i)]; }

  static std::string type_of(const Argument& a) {
    std::string base, list;
    switch (a.type.base) {
      case BaseType::Tensor:
        base = "View";
        list = "std::vector<View>";
        break;
      case BaseType::Int:
      case BaseType::SymInt:
        base = "int64_t";
        list = "Dims";
        break;
      case BaseType::Float:
      case BaseType::Scalar:
        base = "double";
        list = "std::vector<double>";
        break;
      case BaseType::Bool:
        base = "bool";
        break;
      case BaseType::String:
        base = "std::string";
        break;
      default:
        break;
    }
    std::string type = a.type.is_list() ? list : base;
    if (type.empty() || a.type.element_optional())
      throw NotSaid{fmt::format("argument {} has a type that plugins do not have", a.name)};
    if (a.type.is_optional()) return "const std::optional<" + type + ">&";
    return type == "int64_t" || type == "double" || type == "bool" ? type : "const " + type + "&";
  }

  /// Returns C++ code for argument i. A list of tensors is represented by its first tensor.
  std::string value(int i) const {
    const Argument& a = declared(i);
    if (a.type.base == BaseType::Tensor && a.type.is_list()) return a.name + ".at(0)";
    return a.type.is_optional() ? "(*" + a.name + ")" : a.name;
  }

  std::string said(const Atom& a) const {
    switch (a.kind) {
      case Atom::Kind::Constant:
        return std::to_string(a.number);
      case Atom::Kind::Size:
        return fmt::format("{}.size({})", value(a.argument), a.dim);
      case Atom::Kind::SizeAt:
        return fmt::format("{}.size({})", value(a.argument), value(a.other));
      case Atom::Kind::SumAt:
        return fmt::format("[&] {{ int64_t n = 0; for (const View& t : {}) n += t.size({}); return n; }}()",
                           declared(a.argument).name, value(a.other));
      case Atom::Kind::Count:
        return fmt::format("static_cast<int64_t>({}.size())", declared(a.argument).name);
      case Atom::Kind::Number:
        return value(a.argument);
      case Atom::Kind::Item:
        return fmt::format("inferred::item({}, {})", value(a.argument), a.dim);
    }
    return "";
  }

  std::string said(const Expression& e) const {
    using Kind = Expression::Kind;
    std::vector<std::string> v;
    for (const Atom& a : e.atoms) v.push_back(said(a));
    std::string text;
    switch (e.kind) {
      case Kind::Plus:
        text = v[0];
        break;
      case Kind::Product:
        text = v[0] + " * " + v[1];
        break;
      case Kind::Product3:
        text = v[0] + " * " + v[1] + " * " + v[2];
        break;
      case Kind::Sum:
        text = v[0] + " + " + v[1];
        break;
      case Kind::Sum3:
        text = v[0] + " + " + v[1] + " + " + v[2];
        break;
      case Kind::Minus:
        text = v[0] + " - " + v[1];
        break;
      case Kind::Floor:
        text = v[0] + " / " + v[1];
        break;
      case Kind::Ceil:
        text = fmt::format("inferred::ceil_div({}, {})", v[0], v[1]);
        break;
      case Kind::Minimum:
        return fmt::format("std::min<int64_t>({}, {})", v[0], v[1]);
      case Kind::Window:
        return fmt::format("inferred::window({}, {}, {}, {}, {})", v[0], v[1], v[2], v[3], v[4]);
    }
    return e.plus ? fmt::format("{} {} {}", text, e.plus < 0 ? "-" : "+", std::abs(e.plus)) : text;
  }

  std::string dims(int attribute) const {
    const Argument& a = declared(attribute);
    if (!a.type.is_optional()) return a.type.is_list() ? a.name : "{" + a.name + "}";
    const std::string one = a.type.is_list() ? "*" + a.name : "Dims{*" + a.name + "}";
    return fmt::format("{} ? {} : Dims()", a.name, one);
  }

  /// Returns C++ code for a ShapeForm. `of` is `sizes` or `strides`, because both are computed by the same code.
  std::string said(const ShapeForm& f, const std::string& of) const {
    using Kind = ShapeForm::Kind;
    const bool sizes = of == "sizes";
    const std::string from = f.of < 0 ? "Dims()" : value(f.of) + "." + of + "()";
    if (!sizes && (f.kind == Kind::Replaced || f.kind == Kind::SameAs)) return from;
    std::string own;
    for (const Expression& e : f.tail) {
      const bool whole = e.kind == Expression::Kind::Plus && e.plus == 0 && e.atoms[0].kind == Atom::Kind::Size &&
                         e.atoms[0].argument == f.of;
      if (!sizes && !whole) throw NotSaid{"the strides of a view's new dims"};
      own += (own.empty() ? "" : ", ") + (sizes ? said(e) : fmt::format("{}.stride({})", value(f.of), e.atoms[0].dim));
    }
    switch (f.kind) {
      case Kind::SameAs:
        return from;
      case Kind::Tail:
        return fmt::format("inferred::tail({}, {}, {{{}}})", from, f.drop, own);
      case Kind::Head:
        return fmt::format("inferred::head({}, {}, {{{}}})", from, f.drop, own);
      case Kind::Reduced:
        return fmt::format("inferred::reduced({}, {}, {}, {})", from, dims(f.attribute),
                           f.keep == 2   ? value(f.other)
                           : f.keep == 1 ? "true"
                                         : "false",
                           sizes);
      case Kind::Replaced:
        return fmt::format("inferred::replaced({}, {}, {})", from, value(f.attribute), own);
      case Kind::Inserted:
        return fmt::format("inferred::inserted({}, {}, {})", from, value(f.attribute), own);
      case Kind::Permuted:
        return fmt::format("inferred::permuted({}, {})", from, value(f.attribute));
      case Kind::Swapped:
        return fmt::format("inferred::swapped({}, {}, {})", from, value(f.attribute), value(f.other));
      case Kind::Listed:
        return value(f.attribute);
      case Kind::Broadcast: {
        std::string text = "[&] { Dims all; ";
        for (size_t i = 0; i < schema_.arguments.size(); ++i) {
          const Argument& a = schema_.arguments[i];
          if (a.type.base != BaseType::Tensor) continue;
          if (a.type.is_list()) {
            text += fmt::format("for (const View& t : {}) inferred::broadcast(all, t.sizes()); ", a.name);
          } else {
            text += (a.type.is_optional() ? "if (" + a.name + ") " : "") +
                    fmt::format("inferred::broadcast(all, {}.sizes()); ", value(static_cast<int>(i)));
          }
        }
        return text + "return all; }()";
      }
      default:
        throw NotSaid{"sizes by a list with -1"};
    }
  }

  static std::string cpp_dtype(DType d) {
    constexpr std::string_view names[] = {"Bool", "U8",   "I8",  "I16", "I32", "I64",
                                          "F16",  "BF16", "F32", "F64", "C64", "C128"};
    return fmt::format("DType::{}", names[static_cast<size_t>(d)]);
  }

  std::string said(const DTypeForm& f) const {
    using Kind = DTypeForm::Kind;
    if (f.kind == Kind::Constant) return cpp_dtype(f.dtype);
    if (f.kind == Kind::OfArgument) return value(f.of) + ".dtype()";
    if (f.kind == Kind::Summed) return fmt::format("{0}.dtype() <= DType::I64 ? DType::I64 : {0}.dtype()", value(f.of));
    if (f.kind == Kind::RealOf)
      return fmt::format(
          "{0}.dtype() == DType::C64 ? DType::F32 : {0}.dtype() == DType::C128 ? DType::F64 : {0}.dtype()",
          value(f.of));
    if (f.kind != Kind::Table) throw NotSaid{"a dtype by promotion"};
    std::string text;
    for (const auto& [from, to] : f.table)
      text += fmt::format("{}.dtype() == {} ? {} : ", value(f.of), cpp_dtype(from), cpp_dtype(to));
    return text + fmt::format("throw Refusal{{\"I2\", \"a dtype that no example had\"}}");
  }

  std::string said(const StrideForm& f, const ResultRule& r, const std::string& sizes) const {
    using Kind = StrideForm::Kind;
    switch (f.kind) {
      case Kind::Contiguous:
        return "contiguous(" + sizes + ")";
      case Kind::ColumnMajor:
        return "column_major(" + sizes + ")";
      case Kind::LastTwoSwapped:
        return "inferred::last_two_swapped(" + sizes + ")";
      case Kind::Exact:
        return value(f.of) + ".strides()";
      case Kind::Mapped:
        if (r.shape.size() == 1) return said(r.shape[0].form, "strides");
        throw NotSaid{"strides that follow sizes of several cases"};
      default:
        throw NotSaid{"strides that follow an input's layout as those of elementwise ops do"};
    }
  }

  std::string said(const OffsetForm& f) const {
    if (f.kind == OffsetForm::Kind::Zero) return "0";
    const std::string t = value(f.of);
    if (f.kind == OffsetForm::Kind::OfArgument) return t + ".offset()";
    return fmt::format("{0}.offset() + ({1} < 0 ? {1} + {0}.size({2}) : {1}) * {0}.stride({2})", t, value(f.index),
                       value(f.dim));
  }

  std::string said(const Condition& c) const {
    if (c.kind == Condition::Kind::Rank) return fmt::format("{}.dim() == {}", value(c.argument), c.value);
    if (c.kind == Condition::Kind::Number) return fmt::format("{} == {}", value(c.argument), c.value);
    std::string text, rest = c.text + ", ";
    for (const Argument& a : schema_.arguments) {
      const size_t end = rest.find(", ");
      if (end == rest.npos) throw NotSaid{"a case by a text with a comma"};
      const std::string word = rest.substr(0, end);
      rest.erase(0, end + 2);
      if (!a.type.is_optional()) continue;
      text += (text.empty() ? "" : " && ") + std::string(word == "none" ? "!" : "") + a.name + ".has_value()";
    }
    if (text.empty()) throw NotSaid{"a case by a text"};
    return text;
  }

  /// Returns C++ code of `name = ...;`, with a branch for each case.
  template <class Form, class Say>
  std::string cases(const Cases<Form>& all, const std::string& type, const std::string& name, const Say& say) const {
    if (all.size() == 1 && all[0].when.empty())
      return fmt::format("  const {} {} = {};\n", type, name, say(all[0].form));
    std::string text = fmt::format("  {} {}{{}};\n", type, name), start = "  ";
    for (const Case<Form>& c : all) {
      std::string condition;
      for (const Condition& w : c.when) condition += (condition.empty() ? "" : " && ") + said(w);
      text += fmt::format("{}if ({}) {{\n    {} = {};\n  }}", start, condition, name, say(c.form));
      start = " else ";
    }
    return text + " else {\n    require(false, \"I3\", \"no example was like this call\");\n  }\n";
  }

  std::string result(const ResultRule& r, size_t k) const {
    if (r.alias.size() != 1) throw NotSaid{"a result that is a view of different arguments"};
    const AliasForm& alias = r.alias[0].form;
    if (alias.same) return fmt::format("  const Meta result{} = Meta::same({});\n", k, value(alias.of));
    const std::string sizes = fmt::format("sizes{}", k), strides = fmt::format("strides{}", k);
    std::string text = cases(r.shape, "Dims", sizes, [&](const ShapeForm& f) { return said(f, "sizes"); }) +
                       cases(r.strides, "Dims", strides, [&](const StrideForm& f) { return said(f, r, sizes); });
    if (alias.of >= 0) {
      const std::string offset = fmt::format("offset{}", k);
      return text + cases(r.offset, "int64_t", offset, [&](const OffsetForm& f) { return said(f); }) +
             fmt::format("  const Meta result{} = Meta::view({}, {}, {}, {});\n", k, value(alias.of), sizes, strides,
                         offset);
    }
    const std::string dtype = fmt::format("dtype{}", k);
    return text + cases(r.dtype, "DType", dtype, [&](const DTypeForm& f) { return said(f); }) +
           fmt::format("  const Meta result{}({}, {}, {});\n", k, dtype, sizes, strides);
  }

  const InferredRule& rule_;
  const FunctionSchema& schema_;
};

}  // namespace

std::string rule_cpp(const InferredRule& rule, const FunctionSchema& schema, std::string& why) {
  try {
    return RuleWriter(rule, schema).write();
  } catch (const NotSaid& what) {
    why = what.why;
    return "";
  }
}

}  // namespace ersatz::tools
