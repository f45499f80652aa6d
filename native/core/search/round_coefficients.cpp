#include "round_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {

namespace {

double to_digits(double x, int digits) {
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(x)))) - digits + 1;
  const double power = std::pow(10.0, std::abs(exponent));
  return exponent >= 0 ? std::nearbyint(x / power) * power : std::nearbyint(x * power) / power;
}

// 2 x + 4 y is x + 2 y.
void reduce(std::vector<double>& coefficient) {
  std::int64_t divisor = 0;
  for (const double c : coefficient) {
    if (c != std::floor(c) || std::fabs(c) > 1e15) return;
    divisor = std::gcd(divisor, static_cast<std::int64_t>(c));
  }
  for (double& c : coefficient) c /= static_cast<double>(divisor);
}

}   // namespace

std::vector<Combination> rounded(const Combination& exact) {
  constexpr double furthest = 1e15;   // of two coefficients: no sum of doubles shows both
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const double c : exact.coefficient) {
    least = std::min(least, std::fabs(c));
    most = std::max(most, std::fabs(c));
  }
  if (!(least > 0) || !(most / least < furthest)) return {};
  if (exact.coefficient[0] < 0) least = -least;
  std::vector<Combination> out;
  for (const auto& [times, digits] : {std::pair{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {1, 2}}) {
    Combination round = exact;
    for (double& c : round.coefficient) c = to_digits(c / least * times, digits);
    reduce(round.coefficient);
    if (std::find(out.begin(), out.end(), round) == out.end()) out.push_back(std::move(round));
  }
  return out;
}

}   // namespace treewright
