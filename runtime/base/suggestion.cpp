#include "runtime/base/suggestion.h"

namespace ersatz {

std::string_view usual_suggestion(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::InvalidArgument:
    case ErrorKind::NotSupported:
    case ErrorKind::TraceError:
    case ErrorKind::NodeError:
      return "";  // messages of these kinds say themselves what would work
    case ErrorKind::InternalError:
      return "report the message: it is a bug of ersatz";
    case ErrorKind::DataDependentOutput:
      return "carry real values beside the fakes (FakeOptions::propagate_real), or make a known value with "
             "from_constant";
    case ErrorKind::DynamicOutputShape:
      return "carry real values beside the fakes (FakeOptions::propagate_real), or use a form of the op with a fixed "
             "size";
    case ErrorKind::UnsupportedOperator:
      return "give the op a rule, or allow its kernel to run on made-up inputs (FakeOptions::fallback)";
    case ErrorKind::UnsupportedFakeTensor:
      return "keep the tensor real, and run what uses it under SuspendModes";
    case ErrorKind::DeviceMismatch:
      return "move the tensors to one device";
    case ErrorKind::MetadataMismatch:
      return "run without stop_at_first for the whole report; a known difference is waived by a row with its reason";
    case ErrorKind::GuardOnDataDependent:
      return "give the symbol a hint or a range that decides, or ask a question that does not depend on it";
  }
  return "";
}

}  // namespace ersatz
