// A rule that was inferred from examples. For each field of each result it has several cases. A case is a list of
// conditions and the form that applies if they hold.
//
// The rule answers only for calls like its examples. A combination of argument kinds, ranks and lengths must have
// occurred often enough in the examples. Each argument must have a dtype that it had in an example. If no case applies,
// the rule has no answer.
#pragma once

#include <set>

#include "tools/infer/forms.h"

namespace ersatz::tools {

template <class Form>
struct Case {
  std::vector<Condition> when;  ///< the case applies if all these conditions hold
  Form form;
  std::vector<Form> rivals;  ///< other forms that no example contradicts; not stored in files
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
  std::string schema;  ///< the operator's schema; empty: unknown
  std::vector<std::string> arguments;
  std::set<std::string> signatures;     ///< signature_of() of each example, each once
  std::vector<std::set<DType>> dtypes;  ///< for each argument, the dtypes that its tensors had in the examples
  std::vector<ResultRule> results;
  double confidence = 0;
};

/// True if the rule may answer for these arguments: the examples have their signature and dtypes.
bool covers(const InferredRule& rule, std::span<const SeenArgument> arguments);
/// Predicts the flat results; nullopt if the rule has no answer. `storage_of` and `is` are set as in an Observation.
std::optional<std::vector<SeenResult>> predict(const InferredRule& rule, std::span<const SeenArgument> arguments);

/// Predicts without testing `covers` first.
std::optional<std::vector<SeenResult>> predict_anyway(const InferredRule& rule,
                                                      std::span<const SeenArgument> arguments);

/// Returns the first field in which prediction and observation differ, as `result 0: stride: ...`; empty if they agree.
/// Strides of dims of size 1 and of empty tensors are ignored.
std::string difference(std::span<const SeenResult> predicted, std::span<const SeenResult> observed);

/// Returns a rule that no example contradicts. nullopt if a field cannot be explained; `why` names the field and an
/// example.
std::optional<InferredRule> fit_rule(std::span<const Observation> examples, std::string& why);
using ExampleList = std::vector<const Observation*>;
/// Stores in `rule` the signatures and dtypes of the examples. The rule may answer only for calls that have them.
void note_domain(InferredRule& rule, const ExampleList& examples);
/// Returns the indices of calls for which the remaining forms of a field differ, so that running one of these calls
/// decides between them.
std::vector<size_t> deciding_calls(const InferredRule& rule, std::span<const std::vector<SeenArgument>> calls);

}  // namespace ersatz::tools
