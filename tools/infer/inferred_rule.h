// A rule found from examples: per result and field the cases in which a form answers, and for which calls it speaks.
//
// It answers for calls that are like the examples: kinds of arguments with their ranks and lengths as often enough
// occurred together, and dtypes as each argument had. For others, and where no case holds, it says nothing.
#pragma once

#include <set>

#include "tools/infer/forms.h"

namespace ersatz::tools {

template <class Form>
struct Case {
  std::vector<Condition> when;  ///< all of them
  Form form;
  std::vector<Form> rivals;  ///< other forms that no example refutes; not kept in files
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
  std::string schema;  ///< empty: not known
  std::vector<std::string> arguments;
  std::set<std::string> signatures;     ///< signature_of the examples
  std::vector<std::set<DType>> dtypes;  ///< per argument, those of its tensors
  std::vector<ResultRule> results;
  double confidence = 0;
};

/// Does the rule speak for such a call?
bool covers(const InferredRule& rule, std::span<const SeenArgument> arguments);
/// The results that it predicts, flat; empty: it does not answer. Views and arguments returned as they are have
/// `storage_of` and `is` as in an observation.
std::optional<std::vector<SeenResult>> predict(const InferredRule& rule, std::span<const SeenArgument> arguments);

/// The same without asking whether the rule speaks for such a call.
std::optional<std::vector<SeenResult>> predict_anyway(const InferredRule& rule,
                                                      std::span<const SeenArgument> arguments);

/// The first field in which a prediction differs from what was observed: `result 0: stride: ...`; empty: none, strides
/// of dims of size 1 and of empty tensors aside.
std::string difference(std::span<const SeenResult> predicted, std::span<const SeenResult> observed);

/// A rule that no example refutes. Empty: `why` says which field nothing explains, and which example tells that.
std::optional<InferredRule> fit_rule(std::span<const Observation> examples, std::string& why);
using ExampleList = std::vector<const Observation*>;
/// Sets for which calls the rule speaks.
void note_domain(InferredRule& rule, const ExampleList& examples);
/// Among `calls`, those for which forms that no example refutes answer differently: a run of one decides.
std::vector<size_t> deciding_calls(const InferredRule& rule, std::span<const std::vector<SeenArgument>> calls);

}  // namespace ersatz::tools
