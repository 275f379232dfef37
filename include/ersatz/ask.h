// The C interface to ask what a call would return: metadata in, metadata, aliases or an error out. For dispatchers of
// other frameworks and bindings of other languages.
#pragma once

#include "fake/ask/ask.h"
