// The errors to expect of a leaf that made e errors on rows of weight N: an upper limit of its error rate, times N.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace treewright {

class ErrorLimit {
 public:
  using Batch = std::function<std::vector<double>(std::span<const double> weight, std::span<const double> errors)>;

  // bound: "table" (C4.5), "c5.0" or "normal" (J48); z belongs to the confidence CF. Any other is computed by `batch`.
  ErrorLimit(const std::string& bound, double CF, double z, Batch batch = {})
      : table_(bound != "normal"), c50_(bound == "c5.0"), CF_(CF), z_(z), batch_(std::move(batch)) {}

  std::vector<double> operator()(std::span<const double> weight, std::span<const double> errors) const {
    if (batch_) return batch_(weight, errors);
    std::vector<double> out(weight.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = one(weight[i], errors[i]);
    return out;
  }

 private:
  double one(double N, double e) const {
    if (!(N > 1e-9)) return 0;
    e = std::clamp(e, 0.0, N);
    const bool straight = e < 0.9999 && !(c50_ && N <= 1 && e >= 1e-6);   // C5.0: not for a part of a row
    if (table_) return e + (straight ? line(N, e, upper(N, 1, 0.67)) : upper(N, e, 0.67));
    if (CF_ > 0.5) return e;   // below the middle there is nothing to add
    return e + (e < 1 ? line(N, e, std::max(upper(N, 1, 1), 0.0)) : std::max(upper(N, e, 1), 0.0));
  }
  // From the limit without an error, where the binomial is simple, straight to that of one error.
  double line(double N, double e, double at_one) const {
    const double none = N * (1 - std::pow(CF_, 1 / N));
    return none + e * (at_one - none);
  }
  // The normal limit for half an error more; `most` of what is left, where that would be all rows.
  double upper(double N, double e, double most) const {
    if (e + 0.5 >= N) return most * (N - e);
    const double f = std::min((e + 0.5) / N, 1.0), c = z_ * z_ / N;
    const double rate = (f + c / 2 + std::sqrt(c * (f * (1 - f) + c / 4))) / (1 + c);
    return rate * N - e;
  }

  bool table_, c50_;
  double CF_, z_;
  Batch batch_;
};

}   // namespace treewright
