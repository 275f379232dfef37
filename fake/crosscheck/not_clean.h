// Says why the report of a run without findings is not clean. Every command and live run uses these functions.
#pragma once

#include <string>
#include <string_view>

#include "fake/crosscheck/report.h"

namespace ersatz {

/// Returns the reason, as the end of a closing line: calls of the user's own operators were not compared, or nothing
/// was compared. Empty if there is none of these reasons.
std::string why_not_clean(int64_t compared, const OwnCalls& own);
/// The reason for a run with a broken waiver (Waiver::broken).
inline constexpr std::string_view kBrokenWaiver = "a row of waivers is unused or has expired";

/// Returns `line; not clean: WHY`, or `line` if `why` is empty.
std::string with_reason(std::string line, std::string_view why);

/// Returns the counts of a closing line: `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random
/// 3)`.
std::string counts_line(const Report& report);

}  // namespace ersatz
