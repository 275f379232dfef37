// Conditions on sizes as SMT-LIB 2.6 text, for a solver to judge.
//
//   SmtText smt;
//   const std::string holds = smt.formula(truth_of({SymCompare::Le, n, 8 * m}));
//   file << smt.declarations() << "(assert (not " << holds << "))\n(check-sat)\n";
//
// Integers are unbounded there; sizes that fit 64 bits mean the same. Division rounds towards minus infinity, as here.
// What integer arithmetic does not know (floats, bits, powers with a symbol in the exponent) is a constant of that name
// of which nothing is said: `unsat` stays right, `sat` may be too weak.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

class SmtText {
 public:
  std::string term(SymInt v);         ///< of sort Int
  std::string formula(SymInt truth);  ///< of sort Bool
  /// Of everything met so far, with the declared ranges of symbols asserted.
  std::string declarations() const;

 private:
  std::string call(const SymInt& word);
  std::string opaque(SymInt word);
  std::map<std::string, SymbolInfo> symbols_;
  std::set<std::string> opaque_;
};

}  // namespace ersatz
