// Declarations of parameters, variables and registers in PTX: `.param .align 16 .b8 name[24]`.
#pragma once

#include "tests/ptx/statement.h"

namespace ersatz::ptx {

struct Declaration {
  std::string_view name, type;
  int align = 0;             ///< alignment of the type if none is named
  int64_t count = 1;         ///< number of elements; -1: an array whose size the launch gives, `name[]`
  std::string_view initial;  ///< the text after `=`

  int64_t bytes() const { return count * bytes_of(type); }
};

Declaration parse_declaration(std::string_view text);

inline int64_t aligned(int64_t at, int64_t to) { return (at + to - 1) / to * to; }

}  // namespace ersatz::ptx
