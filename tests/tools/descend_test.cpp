// `--descend`: checks of the calls in the bodies of composite nodes.
#include "tools/program/descent.h"

#include <gtest/gtest.h>

#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::tools {
namespace {

/// The kernel of an op that the composite's body calls. It writes its input; the composite's results do not show this.
void writes_its_input(KernelCall& call) {
  call.tensor(0).data<float>()[0] = 7;
  copy_elements(call.outputs[0], call.tensor(0));
}

const OpEntry& composite_op() {
  static const OpEntry& op = []() -> const OpEntry& {
    registry()
        .add("descenttest::part(Tensor self) -> Tensor")
        .with_rule([](RuleCall& call) { call.out.fresh(TensorMeta(call.meta(0))); })
        .cpu(writes_its_input);
    return registry().add("descenttest::whole(Tensor self) -> Tensor").with_composite([](CompositeCall& call) {
      call.returns(call_op<"descenttest.part.default">(call.tensor(0)));
    });
  }();
  return op;
}

TEST(Descent, FindsWhatAPartDoesBehindItsRule) {
  Descent descent{CrosscheckOptions()};
  const Tensor x = tensor_of<float>({1, 2}, {2});
  const Value args[] = {x};
  descent.into(composite_op(), "whole_1", args);
  const Report report = descent.finish();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].field, FindingField::UndeclaredWrite);
  EXPECT_EQ(report.findings[0].op, "descenttest.part.default");
  EXPECT_EQ(report.findings[0].node, "whole_1");
}

TEST(Descent, WorksOnCopiesAndLeavesGeneratorsAlone) {
  Descent descent{CrosscheckOptions()};
  const Tensor x = tensor_of<float>({1, 2}, {2});
  const Value args[] = {x};
  descent.into(composite_op(), "whole_1", args);
  EXPECT_EQ(x.data<float>()[0], 1);
}

}  // namespace
}  // namespace ersatz::tools
