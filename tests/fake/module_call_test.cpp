// ModuleCall: the module that runs, and its path.
#include "fake/object/module_call.h"

#include <gtest/gtest.h>

#include "tests/fake/log_text.h"

namespace ersatz {
namespace {

std::shared_ptr<Module> named(std::string type) {
  auto m = std::make_shared<Module>();
  m->type = std::move(type);
  return m;
}

// TRACE-31
TEST(ModuleCall, NonDescendantIsWarnedOfAndChangesNothing) {
  const auto net = named("Net"), hidden = named("Linear");
  const LogText logged(LogLevel::Warn);
  const ModuleCall outer(*net);
  const ModulePlace* const before = current_module();
  const ModuleCall inner(*hidden);
  EXPECT_EQ(current_module(), before);
  EXPECT_NE(logged.text().find("Unable to find the path of the module Linear"), std::string::npos);
}

// TRACE-30
TEST(ModuleCall, APathGoesThroughTheModuleThatRuns) {
  const auto net = named("Net"), a = named("B"), c = named("B"), d = named("D");
  a->children = c->children = {{"D", d}};
  net->children = {{"A", a}, {"C", c}};
  EXPECT_EQ(current_module(), nullptr);
  const ModuleCall root(*net);
  EXPECT_EQ(current_module()->path, "");
  {
    const ModuleCall second(*c);
    const ModuleCall shared(*d);
    EXPECT_EQ(current_module()->path, "C.D");
    EXPECT_EQ(current_module()->outer->path, "C");
  }
  {
    const ModuleCall first_found(*d);
    EXPECT_EQ(current_module()->path, "A.D");
  }
  const ModuleCall chosen(*d, "C.D");
  EXPECT_EQ(current_module()->path, "C.D");
}

}  // namespace
}  // namespace ersatz
