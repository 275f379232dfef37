// Options of fake modes, their defaults, and the stack of a mode.
#include "fake/mode/fake_mode_state.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

// MODE-06
TEST(FakeOptions, DefaultModeRefusesRealInputsAndMostFallbacks) {
  const FakeMode mode;
  const FakeOptions& o = mode.options();
  EXPECT_EQ(o.fallback, FallbackPolicy::Rule);
  EXPECT_FALSE(o.fill);
  EXPECT_FALSE(o.allow_non_fake_inputs);
  EXPECT_TRUE(o.allow_meta);
  EXPECT_FALSE(o.allow_data_pointer);
  EXPECT_FALSE(o.keep_stacks);
  EXPECT_FALSE(o.propagate_real);
  EXPECT_EQ(o.cache, CachePolicy::Auto);
  EXPECT_FALSE(o.cache_crosscheck);
  EXPECT_FALSE(o.shape_env);
  EXPECT_FALSE(o.static_shapes.has_value());
  EXPECT_FALSE(o.for_export);
  EXPECT_FALSE(o.allow_scalar_outputs);
}

// MODE-07
TEST(FakeOptions, DefaultsAreReadWhenAModeIsMade) {
  FakeMode before;
  std::optional<FakeMode> during;
  {
    FakeDefaultsGuard guard([](FakeDefaults& d) {
      d.allow_meta = false;
      d.propagate_real = true;
      d.cache_crosscheck = true;
      d.cache = CachePolicy::Never;
      d.allow_data_pointer = true;
    });
    during.emplace();
    EXPECT_TRUE(before.options().allow_meta);
  }
  EXPECT_FALSE(before.options().propagate_real);
  EXPECT_FALSE(during->options().allow_meta);
  EXPECT_TRUE(during->options().propagate_real);
  EXPECT_TRUE(during->options().cache_crosscheck);
  EXPECT_EQ(during->options().cache, CachePolicy::Never);
  EXPECT_TRUE(during->options().allow_data_pointer);
  EXPECT_TRUE(FakeMode().options().allow_meta);
}

// MODE-07
TEST(FakeOptions, ModeRefusesMetaWhereForbiddenByDefault) {
  FakeDefaultsGuard guard([](FakeDefaults& d) { d.allow_meta = false; });
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[4]@meta"));
  EXPECT_THAT(error_of([&] { call_test_op("twice", {x}); }).message, HasSubstr("allow_meta"));
}

// MODE-20
TEST(FakeMode, RemembersItsOriginAndFormatsItWhenAsked) {
  FakeMode a, b;
  EXPECT_FALSE(a.state().made_at->formatted());
  const std::string& stack = a.stack();
  EXPECT_THAT(stack, HasSubstr("test_fake"));
  EXPECT_EQ(&a.stack(), &stack);
  FakeScope scope(b);
  const Error e = error_of([&] { call_test_op("twice", {a.make(meta_of("f32[2]"))}); });
  EXPECT_THAT(e.message, HasSubstr("Its mode was made\n" + stack));
}

}  // namespace
}  // namespace ersatz
