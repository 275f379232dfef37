// Constructors that are known and refused.
#include <gmock/gmock.h>

#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

TEST(UnsupportedConstructors, SayWhatIsMissingAndWhatWouldWork) {
  for (const char* name : {"aten.ones.names", "aten.randn.names", "aten.empty.names"}) {
    const Value size[] = {Value::int_list(std::vector<int64_t>{2})};
    const std::vector<std::pair<std::string, Value>> names{{"names", Value()}};
    try {
      call(op_named(name), size, names);
      FAIL() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
      EXPECT_THAT(e.message, testing::HasSubstr(name));
      EXPECT_EQ(e.suggestion, "leave the names out");
    }
  }
}

}  // namespace
}  // namespace ersatz
