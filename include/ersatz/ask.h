// The C interface to predict an operator call: it takes metadata and returns metadata and aliases, or an error. It is
// for dispatchers of other frameworks and for bindings of other languages.
#pragma once

#include "fake/ask/ask.h"
