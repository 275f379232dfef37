// Makes lists of tensors for arguments of foreach operators.
#pragma once

#include "tests/ops/op_calls.h"

namespace ersatz {

inline Value tensors(std::initializer_list<Value> list) { return Value::list({list.begin(), list.size()}); }

}  // namespace ersatz
