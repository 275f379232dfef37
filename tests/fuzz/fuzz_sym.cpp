// libFuzzer: each line is an expression, a fact or a question. A parsed expression prints back to the same node and
// keeps its value when reduced. Decisions hold at the tested points. Errors are InvalidArgument.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "runtime/sym/sym_expr.h"

using namespace ersatz;

namespace {

void check(bool ok, std::string_view what, std::string_view text) {
  if (ok) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()),
               text.data());
  std::abort();
}

/// The value of a symbol at a point, which depends only on its name and the point.
int64_t value_of(std::string_view name, int64_t point, const ShapeEnv& env) {
  const SymbolInfo& s = *env.find_symbol(name);
  uint64_t h = 1469598103934665603u + static_cast<uint64_t>(point);
  for (char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  const int64_t v = s.min + static_cast<int64_t>(h % 9);
  return std::min(v, s.max);
}

/// The value of `v` at a point. nullopt for overflow, a division by zero, or a float that depends on data.
std::optional<int64_t> at(SymInt v, int64_t point, const ShapeEnv& env) {
  try {
    return evaluate(v, [&](std::string_view name) { return std::optional(value_of(name, point, env)); });
  } catch (const Error&) {
    return std::nullopt;
  }
}

void line_of(std::string_view text, ShapeEnv& env, std::vector<SymCondition>& facts) {
  const bool fact = text.starts_with("!");
  const SymInt v = env.parse(text.substr(fact ? 1 : 0));
  const std::string printed = to_string(v);
  check(env.parse(printed).is_identical(v), "comes back as something else", printed);
  const SymCondition c = condition_of(v);
  if (fact) {
    env.add_fact(c, "the input");
    facts.push_back(c);
    return;
  }
  const SymInt reduced = env.reduced(v);
  const std::optional<bool> is = env.statically(c);
  (void)env.explain(c);
  for (int64_t point = 0; point < 8; ++point) {
    const bool possible = std::all_of(facts.begin(), facts.end(), [&](const SymCondition& f) {
      const std::optional<int64_t> holds = at(truth_of(f), point, env);
      return holds && *holds == 1;
    });
    const std::optional<int64_t> x = at(v, point, env), y = at(reduced, point, env),
                                 truth = at(truth_of(c), point, env);
    if (!possible) continue;
    if (x && y) check(*x == *y, "another value when reduced", text);
    if (is && truth) check(*truth == *is, "a wrong decision", text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ShapeEnv env;
  std::vector<SymCondition> facts;
  for (int lines = 0; !text.empty() && lines < 16; ++lines) {
    const size_t end = std::min(text.find('\n'), text.size());
    try {
      line_of(text.substr(0, end), env, facts);
    } catch (const Error& e) {
      check(e.kind == ErrorKind::InvalidArgument, "the refusal is our bug", e.message);
      if (e.message.starts_with("constraint violation")) return 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}
