// Lists of tensors as arguments.
#pragma once

#include "tests/ops/op_calls.h"

namespace ersatz {

inline Value tensors(std::initializer_list<Value> list) { return Value::list({list.begin(), list.size()}); }

}  // namespace ersatz
