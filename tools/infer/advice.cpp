#include "tools/infer/advice.h"

namespace ersatz::tools {

std::string with_sentence(const std::string& cause, const std::string& next) { return cause + ". " + next; }

std::string with_better_result(const std::string& cause, const std::string& expression) {
  return with_sentence(cause, "Let the fake kernel return " + expression + ", where out is what it returns now");
}

}  // namespace ersatz::tools
