#include "fake/crosscheck/run_comparison.h"

#include "fake/crosscheck/meta_words.h"
#include "fake/outcome/compare.h"
#include "runtime/op/map_tensors.h"

namespace ersatz {
namespace {

/// Returns the difference as text; empty if the real and the fake result agree. Numbers are not compared.
std::string difference(const FakeMode& mode, const Value& real, const Value& fake) {
  if (real.is_tensor() != fake.is_tensor()) {
    return fmt::format("mismatched number of tensor outputs: {} and {}", to_string(fake), to_string(real));
  }
  if (!real.is_tensor()) return "";
  if (!mode.owns(fake.tensor())) return "the fake run answers what is no fake of its mode: " + to_string(fake);
  const MetaDiff d = compare(leaf_of(fake), leaf_of(real), {.fields = kAllButRequiresGrad}).meta;
  if (!d.is_significant()) return "";
  return words_for(d.significant.first(), fake.tensor_impl()->meta, real.tensor_impl()->meta);
}

}  // namespace

std::vector<std::string> compare_runs(const FakeMode& mode, std::span<const Value> args, const ComparedFunction& f) {
  // The arguments are converted before the real run, because the real run may write them.
  const std::vector<Value> fakes = map_tensors(args, [&](const Tensor& t) { return mode.from_tensor(t); });
  std::vector<Value> real, fake;
  {
    SuspendModes for_real;
    flatten(f(args), real);
  }
  try {
    SuspendModes alone;
    FakeScope scope(mode);
    flatten(f(fakes), fake);
  } catch (const Error& e) {
    return {"only the fake run raises: " + e.message};
  }
  std::vector<std::string> differences;
  if (real.size() != fake.size()) {
    differences.push_back(fmt::format("mismatch in number of returns: {} and {}", fake.size(), real.size()));
  }
  for (size_t i = 0; i < std::min(real.size(), fake.size()); ++i) {
    const std::string words = difference(mode, real[i], fake[i]);
    if (!words.empty()) differences.push_back(fmt::format("leaf {}: {}", i, words));
  }
  return differences;
}

}  // namespace ersatz
