#include "runtime/op/value_checks.h"

#include <cstdlib>
#include <string_view>

#include "runtime/base/context.h"

namespace ersatz {
namespace {

thread_local constinit int t_scopes = 0;

bool asked_by_environment() {
  static const bool asked = [] {
    const char* text = std::getenv("ERSATZ_CUDA_CHECK_AT_ONCE");
    return text && *text && std::string_view(text) != "0";
  }();
  return asked;
}

}  // namespace

ChecksAtOnce::ChecksAtOnce() { ++t_scopes; }
ChecksAtOnce::~ChecksAtOnce() { --t_scopes; }

bool checks_at_once() { return t_scopes > 0 || rule_context().deterministic || asked_by_environment(); }

}  // namespace ersatz
