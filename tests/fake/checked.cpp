#include "tests/fake/checked.h"

namespace ersatz {

Checked check_call(const OpEntry& op, std::vector<Value> real, std::vector<ResultFacts> facts,
                   CrosscheckOptions options, std::optional<ErrorFact> error,
                   const std::function<void(CallSite&)>& change) {
  real = bind_arguments(op.schema, real);
  Crosscheck check(std::move(options));
  std::vector<Value> fake;
  for (const Value& v : real) {
    if (v.kind() == Value::Kind::List) {
      std::vector<Value> items;
      for (const Value& item : v.as_list()) items.push_back(Value(check.fake_mode().from_tensor(item.tensor())));
      fake.push_back(Value::list(items));
    } else {
      fake.push_back(v.is_tensor() ? Value(check.fake_mode().from_tensor(v.tensor())) : v);
    }
  }
  CallSite site;
  site.node = "y";
  site.source = "model.py:7";
  site.evidence.results = facts;
  site.evidence.error = std::move(error);
  if (change) change(site);
  if (!check.options().run_real) real.clear();
  CallOutcome outcome = check.call(op, site, fake, real);
  return {check.report(), std::move(outcome)};
}

std::vector<ResultFacts> eager(const char* meta, AliasFact alias) {
  std::vector<ResultFacts> facts(1);
  facts[0].eager = meta_of(meta);
  facts[0].alias = alias;
  return facts;
}

Planted::Planted(std::string_view op)
    : entry(*registry().find_mutable(op)),
      rule(entry.rule),
      kernel(entry.fill_kernels[0].load()),
      written_(entry.written) {}

Planted::~Planted() {
  entry.rule = rule;
  entry.fill_kernels[0] = kernel;
  entry.written = written_;
}

testing::AssertionResult passes(const Report& report) {
  if (report.clean()) return testing::AssertionSuccess();
  auto failure = testing::AssertionFailure() << closing_line(report);
  for (const Finding& f : report.findings) failure << "\n  " << to_string(f);
  return failure;
}

testing::AssertionResult one_finding(const Report& report, std::string_view op, FindingField field) {
  if (report.findings.size() == 1 && report.findings[0].op == op && report.findings[0].field == field) {
    return testing::AssertionSuccess();
  }
  auto failure = testing::AssertionFailure() << report.findings.size() << " findings";
  for (const Finding& f : report.findings) failure << "\n  " << to_string(f);
  return failure;
}

}  // namespace ersatz
