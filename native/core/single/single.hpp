// C4.5 computes in single precision, and where scores are nearly equal its rounding decides. So sums of weights, gains and
// the bits of a split are floats here, rounded after every operation; a product n log2(n) is a double.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright::single {

inline constexpr double slack = 1e-3;                          // what gains and ratios may fall short by
inline constexpr float nothing = static_cast<float>(-slack);   // the gain where there is no test

inline double log2_of(double n) { return std::log(n) / 0.69314718055994530942; }

inline const std::vector<double> of_whole = [] {   // n log2(n)
  std::vector<double> all(1 << 17, 0.0);
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = static_cast<double>(i) * log2_of(static_cast<double>(i));
  return all;
}();
inline double n_log_n(float n) {
  if (!(n > 0)) return 0;
  if (n < static_cast<float>(1 << 17)) {
    const auto whole = static_cast<std::uint32_t>(n);
    if (static_cast<float>(whole) == n) return of_whole[whole];
  }
  return double{n} * log2_of(double{n});
}

inline double n_log_n(std::uint32_t n) { return of_whole[n]; }   // precondition: the table has it

// Weight times entropy of these weights, in bits.
inline float information(std::span<const float> weights) {
  float sum = 0, total = 0;
  for (const float n : weights) {
    sum = static_cast<float>(double{sum} + n_log_n(n));
    total += n;
  }
  return static_cast<float>(n_log_n(total) - double{sum});
}

// How much a split is worth: its gain, and the bits that tell the branch of a row.
struct Worth {
  float gain = nothing, info = 0;
  float cost = 0;   // what a threshold has paid of its gain
  explicit operator bool() const { return double{gain} > -slack; }
};

// The gain ratio, of a gain that is at least `least`; or the gain.
inline float value_of(const Worth& worth, float least, bool by_ratio) {
  if (!by_ratio) return worth.info > 0 && worth ? worth.gain : nothing;
  const bool enough = double{worth.gain} >= double{least} - slack && double{worth.info} > slack;
  return enough ? worth.gain / worth.info : nothing;
}

// What the classes weigh in every branch of a test, branch after branch; and the rows whose value is not known.
struct BranchCounts {
  std::size_t n_classes;
  std::vector<float> counts;    // [branch][class]
  std::vector<float> weight;    // [branch]
  float all = 0, unknown = 0;   // the weight of the node, and of the rows without the value

  explicit BranchCounts(std::size_t n_classes, std::size_t n = 0)
      : n_classes(n_classes), counts(n * n_classes, 0.0f), weight(n, 0.0f) {}
  std::size_t size() const { return weight.size(); }
  std::span<const float> of(std::size_t branch) const { return {&counts[branch * n_classes], n_classes}; }
  float known() const { return all - unknown; }

  void weigh() {   // every branch: the sum over the classes
    for (std::size_t b = 0; b < size(); ++b) {
      weight[b] = 0;
      for (const float n : of(b)) weight[b] += n;
    }
  }
  // The entropy of the known rows of a test of levels.
  float base() const {
    double sum = 0;
    for (std::size_t c = 0; c < n_classes; ++c) {
      float n = 0;
      for (std::size_t b = 0; b < size(); ++b) n += counts[b * n_classes + c];
      sum += n_log_n(n);
    }
    return static_cast<float>((n_log_n(known()) - sum) / double{known()});
  }
  // (1 - unknown share) x (entropy before - entropy after), if two branches have enough weight.
  float gain(float base, float unknown_share, double least) const {
    std::size_t n_enough = 0;
    for (const float w : weight) n_enough += double{w} >= least;
    if (!(known() > 0) || n_enough < 2) return nothing;
    float within = 0;
    for (std::size_t b = 0; b < size(); ++b) within += information(of(b));
    return (1 - unknown_share) * (base - within / known());
  }
  float info() const {
    float sum = static_cast<float>(n_log_n(unknown)), total = unknown;
    for (const float w : weight) {
      sum = static_cast<float>(double{sum} + n_log_n(w));
      total += w;
    }
    return static_cast<float>(n_log_n(total) - double{sum}) / all;
  }
  void merge(std::size_t i, std::size_t j) {   // i < j: the last branch moves to the place of j
    for (std::size_t c = 0; c < n_classes; ++c) {
      counts[i * n_classes + c] += counts[j * n_classes + c];
      counts[j * n_classes + c] = counts[(size() - 1) * n_classes + c];
    }
    weight[i] += weight[j];
    weight[j] = weight.back();
    weight.pop_back();
    counts.resize(counts.size() - n_classes);
  }
};

}   // namespace treewright::single
