#include "runtime/op/library_choice.h"

#include <map>
#include <string>

namespace ersatz {
namespace {

std::map<std::string, LibraryChoice, std::less<>>& choices() {
  static std::map<std::string, LibraryChoice, std::less<>> all;
  return all;
}

}  // namespace

void declare_library_choice(std::string_view op, LibraryChoice choice) { choices()[std::string(op)] = choice; }

const LibraryChoice* library_choice(std::string_view op) {
  const auto found = choices().find(op);
  return found == choices().end() ? nullptr : &found->second;
}

}  // namespace ersatz
