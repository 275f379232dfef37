// A rule found from examples. For each result and field it has cases: conditions, and the form that then holds.
//
// It answers only for calls like the examples: combinations of argument kinds, ranks and lengths that occurred often
// enough, and dtypes that each argument had. If no case holds, it has no answer either.
#pragma once

#include <set>

#include "tools/infer/forms.h"

namespace ersatz::tools {

template <class Form>
struct Case {
  std::vector<Condition> when;  ///< conditions, which must all hold
  Form form;
  std::vector<Form> rivals;  ///< other forms that no example refutes; not stored in files
  int64_t examples = 0;
};
template <class Form>
using Cases = std::vector<Case<Form>>;

template <class Form>
const Case<Form>* case_for(const Cases<Form>& cases, std::span<const SeenArgument> arguments) {
  for (const Case<Form>& c : cases) {
    bool all = true;
    for (const Condition& w : c.when) all = all && holds(w, arguments);
    if (all) return &c;
  }
  return nullptr;
}

struct ResultRule {
  Cases<ShapeForm> shape;
  Cases<DTypeForm> dtype;
  Cases<StrideForm> strides;
  Cases<OffsetForm> offset;
  Cases<AliasForm> alias;
};

struct InferredRule {
  std::string op;      ///< canonical name
  std::string schema;  ///< empty: unknown
  std::vector<std::string> arguments;
  std::set<std::string> signatures;     ///< signature_of each example
  std::vector<std::set<DType>> dtypes;  ///< for each argument, the dtypes of its tensors
  std::vector<ResultRule> results;
  double confidence = 0;
};

/// True if the rule can answer for a call with these arguments.
bool covers(const InferredRule& rule, std::span<const SeenArgument> arguments);
/// The predicted flat results; nullopt if the rule has no answer. `storage_of` and `is` are set as in an observation.
std::optional<std::vector<SeenResult>> predict(const InferredRule& rule, std::span<const SeenArgument> arguments);

/// Predicts without the test of `covers`.
std::optional<std::vector<SeenResult>> predict_anyway(const InferredRule& rule,
                                                      std::span<const SeenArgument> arguments);

/// The first field in which prediction and observation differ: `result 0: stride: ...`; empty if there is none. Strides
/// of dims of size 1 and of empty tensors are ignored.
std::string difference(std::span<const SeenResult> predicted, std::span<const SeenResult> observed);

/// A rule that no example refutes. nullopt if a field cannot be explained; `why` names the field and an example.
std::optional<InferredRule> fit_rule(std::span<const Observation> examples, std::string& why);
using ExampleList = std::vector<const Observation*>;
/// Sets the signatures and dtypes for which the rule can answer.
void note_domain(InferredRule& rule, const ExampleList& examples);
/// Indices of the calls for which the remaining forms of a field differ, so that running one decides.
std::vector<size_t> deciding_calls(const InferredRule& rule, std::span<const std::vector<SeenArgument>> calls);

}  // namespace ersatz::tools
