#include "tests/ops/op_test.h"

#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "fake/mode/fake_mode.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

enum class Flavour : uint8_t { Cpu, Fake };
Flavour g_flavour = Flavour::Cpu;  // tests run one after another

/// Error messages of real runs, by test and number. The fake run of the test must have equal messages.
std::map<std::string, std::string> g_refusals;
int g_refusal_number = 0;
std::string g_test_name;

/// The tensor that the body of a test uses: `t` itself, or in a fake run a fake of `t`.
Tensor enter(Tensor t);

template <class F>
void for_each_element(const Tensor& t, F&& f) {
  std::span<const int64_t> sizes = as_ints(t.sizes()), strides = as_ints(t.strides());
  std::vector<int64_t> index(sizes.size());
  int64_t n = t.numel().as_int();
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < sizes.size(); ++d) at += index[d] * strides[d];
    f(i, t.raw_data() + at * item_size(t.dtype()));
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

template <class T>
std::complex<double> to_complex(const std::byte* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return number_in(v);
}

template <class T>
void put(std::byte* p, std::complex<double> z) {
  const T v = element_of<T>(z.real(), z.imag());
  std::memcpy(p, &v, sizeof v);
}

Tensor make_filled(TensorMeta meta, const std::vector<std::complex<double>>& values) {
  Tensor t = make_sample_tensor(std::move(meta));
  int64_t n = t.numel().as_int();
  if (n != static_cast<int64_t>(values.size())) fail_argument("{} values for {}", values.size(), t.meta());
  dispatch_dtype<kEveryDType>(t.dtype(), [&]<class T>() {
    for_each_element(t, [&](int64_t i, std::byte* p) { put<T>(p, values[static_cast<size_t>(i)]); });
  });
  return enter(t);
}

TensorMeta row_major(DType dtype, const std::vector<int64_t>& sizes) {
  DimVec dims;
  for (int64_t s : sizes) dims.push_back(s);
  return TensorMeta(dtype, dims);
}

Tensor make_random(TensorMeta meta) {
  Tensor t = make_sample_tensor(std::move(meta));
  fill_random(t, -2, 2, 0);
  return enter(t);
}

bool close(double a, double b, double relative) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  return std::abs(a - b) <= relative * std::max(std::abs(b), 1.0);
}

class OpTest : public testing::Test {
 public:
  OpTest(void (*body)(), Flavour flavour, std::string name) : body_(body), flavour_(flavour), name_(std::move(name)) {}
  void TestBody() override;
  void TearDown() override { g_flavour = Flavour::Cpu; }

 private:
  void (*body_)();
  Flavour flavour_;
  std::string name_;
};

/// One mode for all tests: a fake belongs to its mode, and a body may keep one in a static variable.
const FakeMode& fake_mode() {
  static const FakeMode mode;
  return mode;
}

Tensor enter(Tensor t) { return is_fake_run() ? fake_mode().from_tensor(t) : t; }

void OpTest::TestBody() {
  g_flavour = flavour_;
  g_test_name = name_;
  g_refusal_number = 0;
  std::optional<FakeScope> scope;
  if (flavour_ == Flavour::Fake) scope.emplace(fake_mode());
  body_();
}

}  // namespace

Tensor make(std::string_view meta) { return make_random(parse_meta(meta)); }
Tensor make(std::string_view meta, std::vector<double> values) {
  return make_filled(parse_meta(meta), std::vector<std::complex<double>>(values.begin(), values.end()));
}
Tensor make_complex(std::string_view meta, std::vector<std::complex<double>> values) {
  return make_filled(parse_meta(meta), values);
}

namespace {
Tensor make_row_major(DType dtype, const std::vector<int64_t>& sizes, const std::vector<double>& values) {
  return make_filled(row_major(dtype, sizes), std::vector<std::complex<double>>(values.begin(), values.end()));
}
}  // namespace

Tensor f32(std::vector<int64_t> sizes) { return make_random(row_major(DType::F32, sizes)); }
Tensor f32(std::vector<int64_t> sizes, std::vector<double> values) { return make_row_major(DType::F32, sizes, values); }
Tensor f64(std::vector<int64_t> sizes, std::vector<double> values) { return make_row_major(DType::F64, sizes, values); }
Tensor i64(std::vector<int64_t> sizes, std::vector<double> values) { return make_row_major(DType::I64, sizes, values); }
Tensor boolean(std::vector<int64_t> sizes, std::vector<double> values) {
  return make_row_major(DType::Bool, sizes, values);
}

std::vector<std::complex<double>> elements(const Tensor& t) {
  std::vector<std::complex<double>> all;
  dispatch_dtype<kEveryDType>(t.dtype(), [&]<class T>() {
    for_each_element(t, [&](int64_t, const std::byte* p) { all.push_back(to_complex<T>(p)); });
  });
  for (std::complex<double>& v : all) {
    if (t.meta().conj) v = std::conj(v);
    if (t.meta().neg) v = -v;
  }
  return all;
}

int64_t first_difference(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b,
                         double relative) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (!close(a[i].real(), b[i].real(), relative) || !close(a[i].imag(), b[i].imag(), relative)) {
      return static_cast<int64_t>(i);
    }
  }
  return a.size() == b.size() ? -1 : static_cast<int64_t>(std::min(a.size(), b.size()));
}

double default_tolerance(DType t) {
  switch (real_dtype(t)) {
    case DType::F64:
      return 1e-9;
    case DType::F32:
      return 1e-5;
    case DType::F16:
      return 2e-3;
    case DType::BF16:
      return 2e-2;
    default:
      return 0;
  }
}

Expectation expect(Tensor t, const char* file, int line) { return Expectation(std::move(t), file, line); }

bool is_fake_run() { return g_flavour == Flavour::Fake; }

Expectation& Expectation::meta(std::string_view text) {
  if (!tensor_) {
    ADD_FAILURE_AT(file_, line_) << "expected " << text << ", the tensor is undefined";
    return *this;
  }
  TensorMeta expected = parse_meta(text);
  if (diff(expected, tensor_.meta()).is_significant()) {
    ADD_FAILURE_AT(file_, line_) << "expected " << to_string(expected) << ", got " << to_string(tensor_.meta());
  }
  EXPECT_EQ(tensor_.is_fake(), is_fake_run());
  return *this;
}

Expectation& Expectation::values(std::vector<double> expected, double relative) {
  return complex_values(std::vector<std::complex<double>>(expected.begin(), expected.end()), relative);
}

Expectation& Expectation::complex_values(std::vector<std::complex<double>> expected, double relative) {
  if (is_fake_run()) return *this;
  auto got = elements(tensor_);
  int64_t i = first_difference(got, expected, relative < 0 ? default_tolerance(tensor_.dtype()) : relative);
  if (i < 0) return *this;
  auto at = static_cast<size_t>(i);
  auto show = [&](const auto& v) { return at < v.size() ? testing::PrintToString(v[at]) : "nothing"; };
  ADD_FAILURE_AT(file_, line_) << "element " << i << " of " << expected.size() << ": expected " << show(expected)
                               << ", got " << show(got) << " in " << to_string(tensor_);
  return *this;
}

Expectation& Expectation::view_of(const Tensor& base) {
  if (!tensor_.shares_storage(base)) ADD_FAILURE_AT(file_, line_) << "expected a view of the same storage";
  return *this;
}
Expectation& Expectation::not_view_of(const Tensor& other) {
  if (tensor_.shares_storage(other)) ADD_FAILURE_AT(file_, line_) << "expected a storage of its own";
  return *this;
}
Expectation& Expectation::is(const Tensor& other) {
  if (!tensor_.is(other)) ADD_FAILURE_AT(file_, line_) << "expected the argument itself";
  return *this;
}

void expect_error(const std::function<void()>& f, std::string_view label, std::string_view text) {
  std::string key = fmt::format("{}#{}", g_test_name, g_refusal_number++);
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.label, label) << e.message;
    EXPECT_NE(e.message.find(text), std::string::npos) << "'" << text << "' is not in: " << e.message;
    if (!is_fake_run()) {
      g_refusals[key] = e.message;
    } else if (auto real = g_refusals.find(key); real != g_refusals.end()) {
      EXPECT_EQ(e.message, real->second) << "real and fake refuse with different words";
    }
    return;
  }
  ADD_FAILURE() << "expected " << label << ", nothing was raised";
}

Tensor run(std::string_view op, std::initializer_list<Value> positional,
           std::initializer_list<std::pair<std::string, Value>> keywords) {
  Values results = call(op_named(op), std::span(positional.begin(), positional.size()),
                        std::span(keywords.begin(), keywords.size()));
  return results[0].tensor();
}

bool register_op_test(const char* suite, const char* name, const char* file, int line, void (*body)()) {
  for (auto [flavour, suffix] : {std::pair(Flavour::Cpu, "cpu"), std::pair(Flavour::Fake, "fake")}) {
    testing::RegisterTest(suite, fmt::format("{}/{}", name, suffix).c_str(), nullptr, nullptr, file, line,
                          // Uses the type of TEST()'s fixture, so that both kinds of test can be in one suite.
                          [body, flavour = flavour, full = fmt::format("{}.{}", suite, name)]() -> testing::Test* {
                            return new OpTest(body, flavour, full);
                          });
  }
  return true;
}

}  // namespace ersatz
