#include "runtime/base/error.h"

#include "runtime/base/source_line.h"
#include "runtime/base/suggestion.h"

namespace ersatz {

Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

void Error::name_node(std::string_view name, std::string_view at) {
  if (node.empty()) node = name;
  const std::string prefix = fmt::format("node {}{}: ", name, at.empty() ? "" : fmt::format(" ({})", at));
  message.insert(0, prefix);
  node_prefix += prefix.size();
}

std::string_view name(ErrorKind k) {
  constexpr std::string_view names[] = {"InvalidArgument",       "NotSupported",       "InternalError",
                                        "DataDependentOutput",   "DynamicOutputShape", "UnsupportedOperator",
                                        "UnsupportedFakeTensor", "DeviceMismatch",     "MetadataMismatch",
                                        "GuardOnDataDependent",  "TraceError",         "NodeError"};
  return names[static_cast<int>(k)];
}

std::string_view name(ErrorFamily f) {
  constexpr std::string_view names[] = {"index", "type", "value", "runtime", "not_implemented"};
  return names[static_cast<int>(f)];
}

namespace detail {

namespace {
[[noreturn]] void throw_with_place(Error e) {
  e.source = current_source_line();
  e.suggestion = usual_suggestion(e.kind);
  throw e;
}
}  // namespace

void raise(ErrorKind kind, ErrorFamily family, fmt::string_view format, fmt::format_args args) {
  throw_with_place(Error(kind, family, fmt::vformat(format, args)));
}

void raise_internal(const char* file, int line, const char* condition, fmt::string_view format, fmt::format_args args) {
  std::string_view path(file);  // only the last folder and the file name are kept, because the rest depends on how the
                                // compiler was called
  if (size_t slash = path.rfind('/'); slash != path.npos && slash != 0)
    if (size_t folder = path.rfind('/', slash - 1); folder != path.npos) path.remove_prefix(folder + 1);
  throw_with_place(Error(ErrorKind::InternalError, ErrorFamily::Runtime,
                         fmt::format("internal error at {}:{}: {} ({}); a bug of ersatz: report this line", path, line,
                                     fmt::vformat(format, args), condition)));
}

}  // namespace detail
}  // namespace ersatz
