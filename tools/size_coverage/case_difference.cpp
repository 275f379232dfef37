#include "tools/size_coverage/case_difference.h"

#include <algorithm>

#include "fake/outcome/compare.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::tools {

namespace {

class Comparison {
 public:
  explicit Comparison(ShapeEnv& env) : env_(env) {}

  /// Returns the names of the fields in which the two results differ.
  std::vector<std::string> fields(const FakeRow& here, const FakeRow& there) const {
    std::vector<std::string> out;
    OutcomeLeaf mine, theirs;
    TensorMeta a, b;
    const bool tensor = here.meta.find('[') != std::string::npos && here.meta.find('@') != std::string::npos;
    if (here.meta != there.meta) {
      if (!tensor) {
        if (!same_number(here.meta, there.meta)) out.emplace_back("value");
      } else {
        a = parse_meta(here.meta, &env_), b = parse_meta(there.meta, &env_);
        mine = leaf_of(a), theirs = leaf_of(b);
      }
    }
    mine.memory = here.alias, theirs.memory = there.alias;
    const SizeEquality sizes = [this](SymInt x, SymInt y) { return std::optional(equal(x, y)); };
    const LeafDiff d = compare(mine, theirs, {.sizes = &sizes});
    for (const MetaField f : d.meta.significant) out.emplace_back(name(f));
    if (d.place) out.emplace_back("alias");
    return out;
  }

 private:
  bool equal(SymInt a, SymInt b) const {
    if (a.is_identical(b)) return true;
    return env_.statically({SymCompare::Eq, a, b}).value_or(false);
  }

  bool same_number(const std::string& a, const std::string& b) const {
    try {
      return equal(env_.parse(a), env_.parse(b));
    } catch (const Error&) {  // the text is a float or a string
      return false;
    }
  }

  ShapeEnv& env_;
};

}  // namespace

CaseDifference difference(const FakeSummary& here, const FakeSummary& there, ShapeEnv& env) {
  CaseDifference out;
  const Comparison comparison(env);
  const size_t n = std::min(here.rows.size(), there.rows.size());
  for (size_t i = 0; i < n; ++i) {
    const FakeRow &a = here.rows[i], &b = there.rows[i];
    const std::vector<std::string> fields = comparison.fields(a, b);
    if (fields.empty()) continue;
    if (out.results++ == 0) {
      out.first = a.name;
      out.op = a.op;
      out.here = a.meta;
      out.there = b.meta;
    }
    for (const std::string& f : fields) ++out.fields[f];
  }
  return out;
}

}  // namespace ersatz::tools
