// A plugin written against the bare C interface that misbehaves as ERSATZ_TEST_FAULT says.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "runtime/plugin/plugin.h"

namespace {

std::string fault() {
  const char* text = std::getenv("ERSATZ_TEST_FAULT");
  return text ? text : "";
}

int64_t g_sizes[] = {2, 3};
int64_t g_negative[] = {2, -3};
int64_t g_huge[] = {int64_t(1) << 40, int64_t(1) << 40};
int g_deleted = 0;

ErsatzTensor result() {
  ErsatzTensor t{};
  t.device = {1, 0};
  t.ndim = 2;
  t.dtype = {2, 32, 1};
  t.shape = g_sizes;
  return t;
}

/// `bad::op(Tensor x) -> Tensor`: twos of sizes [2,3], or a fault.
int kernel(const ErsatzCall* call, void*) {
  const ErsatzHost* host = call->host;
  std::string f = fault();
  ErsatzTensor t = result();
  if (f == "throw") throw std::runtime_error("no");
  if (f == "silent") return 7;
  if (f == "no result") return 0;
  if (f == "refuse") return host->refuse(call, "C9", "I do not like x");
  if (f == "own memory") {
    t.data = std::malloc(24);
    for (int i = 0; i < 6; ++i) static_cast<float*>(t.data)[i] = 2;
    return host->add_tensor(
        call, &t, [](void* p) { std::free(p), ++g_deleted; }, t.data);
  }
  if (f == "no data") return host->add_tensor(call, &t, nullptr, nullptr);
  if (f == "number") {
    ErsatzValue v{};
    v.kind = ERSATZ_FLOAT;
    return host->add_value(call, &v);
  }
  if (f == "view" || f == "argument") {
    const ErsatzTensor& x = *call->arguments[0].as.tensor;
    if (f == "argument") return host->add_argument(call, 0);
    int64_t one[] = {1};
    t = x;
    t.ndim = 1, t.shape = one, t.strides = one, t.byte_offset = x.byte_offset + 4;
    return host->add_tensor(call, &t, nullptr, nullptr);
  }
  t.data = host->allocate(call, f == "too small" ? 8 : 24, t.device);
  for (int i = 0; i < (f == "too small" ? 2 : 6); ++i) static_cast<float*>(t.data)[i] = 2;
  if (f == "dtype") t.dtype.bits = 33;
  if (f == "negative") t.shape = g_negative;
  if (f == "huge") t.shape = g_huge;
  if (f == "ndim") t.ndim = 100000;
  if (f == "device") t.device = {77, 0};
  if (f == "odd offset") t.byte_offset = 3;
  if (f == "leak") return host->add_argument(call, 5);
  int status = host->add_tensor(call, &t, nullptr, nullptr);
  if (f == "two results") status = host->add_argument(call, 0);
  return status;
}

int add(const ErsatzHost* host, const char* schema) {
  ErsatzOp op{};
  op.size = sizeof op;
  op.schema = schema;
  op.cpu = kernel;
  return host->add_op(host, &op);
}

}  // namespace

extern "C" int bad_plugin_deleted() { return g_deleted; }

extern "C" int ersatz_plugin(const ErsatzHost* host, uint32_t abi) {
  std::string f = fault();
  if (f == "future") {
    return host->refuse_load(host, ("it was built for plugin interface 99, this is " + std::to_string(abi)).c_str());
  }
  add(host, "bad::first(Tensor x) -> Tensor");
  if (f == "schema") return add(host, "bad::op(Tensor x -> Tensor");
  if (f == "twice") return add(host, "bad::first(Tensor y) -> Tensor");
  if (f == "taken") return add(host, "demo::leaky_mix(Tensor x) -> Tensor");
  if (f == "status") return 3;
  if (f == "refuse load") return host->refuse_load(host, "the moon is full");
  if (f == "throw at load") throw 1;
  if (f == "long schema") return add(host, std::string(100000, 'a').c_str());
  if (f == "no schema") return add(host, nullptr);
  if (f == "no kernel") {
    ErsatzOp op{};
    op.size = sizeof op;
    op.schema = "bad::op(Tensor x) -> Tensor";
    return host->add_op(host, &op);
  }
  if (f == "old struct") {
    ErsatzOp op{};
    op.size = 8;
    return host->add_op(host, &op);
  }
  return add(host, "bad::op(Tensor x) -> Tensor");
}
