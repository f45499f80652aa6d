// Many levels win by chance alone: m noisy levels can be grouped in 2^(m-1) ways. With level_correction the gain of a
// nominal column is replaced, when columns are compared, by the gain that a column of two levels would need to be as
// surprising.
//   R2 = the share of the target's (Gini) variance between the levels; without any relation
//   F = R2 / (1 - R2) (n - m) / (m - 1) follows F(d (m - 1), d (n - m)), d = classes - 1 (Light and Margolin 1971).
//   z = its normal score, (1 - b) F^(1/3) - (1 - a) over sqrt(b F^(2/3) + a), a = 2 / (9 df1), b = 2 / (9 df2)
//   (Paulson 1942); r = the R2 of two levels with the same z; gain' = gain r / (R2 between the children).
#pragma once
#include <algorithm>
#include <cmath>

namespace treewright {

struct Evidence {
  double share = 0;   // of the target's variance, between groups
  double degrees = 1;
};

inline double normal_score(double f, double df1, double df2) {
  const double a = 2 / (9 * df1), b = 2 / (9 * df2), u = std::cbrt(f);
  return ((1 - b) * u - (1 - a)) / std::sqrt(b * u * u + a);
}
inline double from_normal_score(double z, double df1, double df2) {   // infinity where no F reaches z
  const double a = 2 / (9 * df1), b = 2 / (9 * df2);
  const double below = (1 - b) * (1 - b) - z * z * b;
  const double root = a * (1 - b) * (1 - b) + b * (1 - a) * (1 - a) - a * b * z * z;
  if (!(below > 0) || root < 0) return INFINITY;
  const double u = std::max(0.0, ((1 - a) * (1 - b) + z * std::sqrt(root)) / below);
  return u * u * u;
}

// What the gain of a column with m levels in n rows is multiplied by.
inline double correction(Evidence levels, Evidence split, double m, double n) {
  if (m <= 2) return 1;
  if (n <= m || !(split.share > 0)) return 0;   // every row its own level: no evidence at all
  if (levels.share >= 1) return 1;
  const double d = levels.degrees;
  const double f = levels.share / (1 - levels.share) * (n - m) / (m - 1);
  const double same = from_normal_score(normal_score(f, d * (m - 1), d * (n - m)), d, d * (n - 2));
  const double r = std::isinf(same) ? 1 : same / (same + n - 2);
  return std::min(1.0, r / split.share);
}

}   // namespace treewright
