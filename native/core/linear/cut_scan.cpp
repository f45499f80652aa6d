#include "cut_scan.hpp"

#include <algorithm>
#include <numeric>

namespace treewright {

namespace {

constexpr double many_rows = 512;     // of a node; with fewer, half as many bins are compared
constexpr std::size_t at_once = 32;   // places of a cut that are compared before the best is looked at closely

// Adds w z z' of a row of few numbers.
template <std::size_t Size>
void add_few(double* gram, const std::array<double, Size>& z, double weight) {
  for (std::size_t i = 0; i < Size; ++i) {
    const double a = weight * z[i];
    for (std::size_t j = 0; j <= i; ++j) gram[row_begin(i) + j] += a * z[j];
  }
}

}   // namespace

Coded Coded::only(const std::vector<std::uint8_t>& side, std::uint8_t which) const {
  Coded out;
  out.n_bins = n_bins;
  for (std::size_t i = 0; i < bin.size(); ++i) {
    if (side[i] != which) continue;
    out.bin.push_back(bin[i]);
    out.has_missing |= bin[i] == missing_bin;
  }
  return out;
}

Coded code_numbers(std::vector<std::uint8_t> fine, std::size_t n_fine, const ModelBlock& block) {
  Coded out;
  out.bin = std::move(fine);
  std::array<double, 256> weight{};
  for (std::size_t i = 0; i < block.size(); ++i) weight[out.bin[i]] += block.weight[i];
  double known = 0;
  std::size_t n_filled = 0;
  for (std::size_t b = 0; b < n_fine; ++b) known += weight[b], n_filled += weight[b] > 0;
  const auto most = static_cast<double>(block.total >= many_rows ? most_cut_bins : most_cut_bins / 2);
  const bool few = static_cast<double>(n_filled) <= most;
  std::array<std::uint8_t, 256> to{};
  double before = 0, last = -1;
  for (std::size_t b = 0; b < n_fine; ++b) {
    if (weight[b] > 0) {
      const double group = few ? static_cast<double>(b) : std::floor(before * most / known);
      if (group > last) last = group, ++out.n_bins;
    }
    before += weight[b];
    to[b] = static_cast<std::uint8_t>(out.n_bins - (out.n_bins > 0));
  }
  to[n_fine] = missing_bin;
  out.has_missing = n_fine < 256 && weight[n_fine] > 0;
  for (std::uint8_t& bin : out.bin) bin = to[bin];
  return out;
}

Coded code_levels(const std::int32_t* codes, std::int32_t n_levels, const ModelBlock& block, std::size_t residual) {
  Coded out;
  const auto n = static_cast<std::size_t>(n_levels);
  std::vector<double> weight(n, 0.0), sum(n, 0.0);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::int32_t code = codes[block.rows[i]];
    if (code < 0 || code >= n_levels) continue;
    weight[static_cast<std::size_t>(code)] += block.weight[i];
    sum[static_cast<std::size_t>(code)] += block.weight[i] * block.row(i)[residual];
  }
  std::vector<std::size_t> order;
  for (std::size_t level = 0; level < n; ++level)
    if (weight[level] > 0) order.push_back(level);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sum[a] / weight[a] < sum[b] / weight[b]; });
  out.n_bins = std::min(most_cut_bins, order.size());
  out.level_bin.assign(n, missing_bin);
  for (std::size_t k = 0; k < order.size(); ++k)
    out.level_bin[order[k]] = static_cast<std::uint8_t>(k * out.n_bins / order.size());
  for (const RowIndex row : block.rows) {
    const std::int32_t code = codes[row];
    out.bin.push_back(code < 0 || code >= n_levels ? missing_bin : out.level_bin[static_cast<std::size_t>(code)]);
    out.has_missing |= out.bin.back() == missing_bin;
  }
  return out;
}

void TestDesign::read(const ModelBlock& block, std::size_t i, double* z) const {
  const double* from = block.row(i);
  std::size_t n = 0;
  if (own != nullptr) z[n++] = own[i];
  if (columns.empty()) std::copy_n(from, ridge.size() - n, z + n);
  for (const std::uint32_t column : columns) z[n++] = from[column];
}

CutScan::CutScan(const ModelBlock& block, const Coded& coded, TestDesign test_design)
    : block_(block),
      coded_(coded),
      design_(std::move(test_design)),
      size_(design_.ridge.size()),
      length_(gram_length(size_)),
      grams_((coded.n_bins + 1) * length_, 0.0),
      total_(length_, 0.0),
      count_(coded.n_bins + 1) {
  for (std::size_t i = 0; i < block.size(); ++i) count_[bin_of(i)] += {1, block.weight[i]};
  if (design_.columns.empty() || size_ > 3) add_sorted();
  else if (size_ == 3) add_few_numbers<3>();
  else add_few_numbers<2>();
  for (std::size_t bin = 0; bin <= coded.n_bins; ++bin) {
    for (std::size_t k = 0; k < length_; ++k) total_[k] += gram(bin)[k];
    all_ += count_[bin];
  }
}

// The rows of one bin after the other: the sums of a bin stay in registers.
void CutScan::add_sorted() {
  std::vector<std::uint32_t> next(count_.size() + 1, 0), order(block_.size());
  for (std::size_t bin = 0; bin < count_.size(); ++bin)
    next[bin + 1] = next[bin] + static_cast<std::uint32_t>(count_[bin].rows);
  for (std::size_t i = 0; i < block_.size(); ++i) order[next[bin_of(i)]++] = static_cast<std::uint32_t>(i);
  GramRows adding(size_);
  for (const std::uint32_t i : order)
    design_.read(block_, i, adding.next(grams_.data() + bin_of(i) * length_, block_.weight[i]));
  adding.finish();
}

template <std::size_t Size>
void CutScan::add_few_numbers() {
  std::array<const double*, Size> from;
  std::array<std::size_t, Size> step;
  std::size_t n = 0;
  if (design_.own != nullptr) from[n] = design_.own, step[n++] = 1;
  for (const std::uint32_t column : design_.columns) from[n] = block_.values.data() + column, step[n++] = block_.width;
  for (std::size_t i = 0; i < block_.size(); ++i) {
    std::array<double, Size> z;
    for (std::size_t k = 0; k < Size; ++k) z[k] = from[k][i * step[k]];
    add_few<Size>(grams_.data() + bin_of(i) * length_, z, block_.weight[i]);
  }
}

bool CutScan::allowed(const Count& left, const Sides& sides) const {
  return left.rows >= sides.min_rows && all_.rows - left.rows >= sides.min_rows && left.weight >= sides.min_weight &&
         all_.weight - left.weight >= sides.min_weight;
}

BinCut CutScan::best(const Sides& sides) const {
  BinCut best;
  std::vector<double> left(coded_.n_bins * length_), losses(coded_.n_bins);
  for (const bool missing_left : {false, true}) {
    if (missing_left && !coded_.has_missing) continue;
    Count n = missing_left ? count_[coded_.n_bins] : Count{};
    std::vector<double> sum(length_, 0.0);
    if (missing_left) std::copy_n(gram(coded_.n_bins), length_, sum.begin());
    std::vector<const double*> at;
    std::vector<std::size_t> bins;
    for (std::size_t bin = 0; bin + (missing_left || !coded_.has_missing) < coded_.n_bins; ++bin) {
      n += count_[bin];
      for (std::size_t k = 0; k < length_; ++k) sum[k] += gram(bin)[k];
      if (count_[bin].rows == 0 || !allowed(n, sides)) continue;   // of an empty bin the cut before it is the same
      double* to = left.data() + bins.size() * length_;
      std::copy(sum.begin(), sum.end(), to);
      at.push_back(to);
      bins.push_back(bin);
    }
    two_sided_losses(total_.data(), at, design_.ridge, losses.data());
    for (std::size_t k = 0; k < bins.size(); ++k)
      if (losses[k] < best.loss) best = {losses[k], bins[k], missing_left};
  }
  return best;
}

CutScan::Placed CutScan::place(const BinCut& cut, const Sides& sides, std::span<const Key> keys) const {
  std::vector<std::size_t> order;   // the rows of the bins before and after the cut, by their keys
  for (std::size_t i = 0; i < block_.size(); ++i)
    if (coded_.bin[i] == cut.bin || coded_.bin[i] == cut.bin + 1) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<double> base(length_, 0.0), z(whole_quads(size_), 0.0);
  Count before;
  const auto add_bin = [&](std::size_t bin) {
    for (std::size_t k = 0; k < length_; ++k) base[k] += gram(bin)[k];
    before += count_[bin];
  };
  if (cut.missing_left) add_bin(coded_.n_bins);
  for (std::size_t bin = 0; bin < cut.bin; ++bin) add_bin(bin);
  std::vector<std::size_t> ends;   // a cut may follow these rows
  const bool last = cut.bin + 1 == coded_.n_bins;
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    if (keys[order[i]] < keys[order[i + 1]]) ends.push_back(i);
  if (last && coded_.has_missing && !cut.missing_left) ends.push_back(order.size() - 1);
  Placed best;
  std::size_t first = 0, end = ends.size(), best_end = 0;
  while (first < end) {
    const std::size_t stride = (end - first + at_once - 1) / at_once;
    std::vector<double> sum = base, left;
    std::vector<std::size_t> tried;
    Count n = before;
    for (std::size_t i = 0, e = 0; i < order.size() && e < end; ++i) {
      design_.read(block_, order[i], z.data());
      add_row(sum.data(), z.data(), size_, block_.weight[order[i]]);
      n += {1, block_.weight[order[i]]};
      if (i != ends[e]) continue;
      const bool edge = i + 1 < order.size() && coded_.bin[order[i]] != coded_.bin[order[i + 1]];
      if (e >= first && (edge || (e - first) % stride == stride / 2) && allowed(n, sides)) {
        tried.push_back(e);
        left.insert(left.end(), sum.begin(), sum.end());
      }
      ++e;
    }
    std::vector<const double*> at;
    for (std::size_t k = 0; k < tried.size(); ++k) at.push_back(left.data() + k * length_);
    std::vector<double> losses(tried.size());
    two_sided_losses(total_.data(), at, design_.ridge, losses.data());
    for (std::size_t k = 0; k < tried.size(); ++k)
      if (losses[k] < best.loss) best.loss = losses[k], best_end = tried[k];
    if (stride == 1 || !(best.loss < std::numeric_limits<double>::infinity())) break;
    first = best_end - std::min(best_end - first, stride);
    end = std::min(end, best_end + stride + 1);
  }
  if (!(best.loss < std::numeric_limits<double>::infinity())) return best;
  best.low = keys[order[ends[best_end]]];
  best.all_left = ends[best_end] + 1 == order.size();
  if (!best.all_left) best.high = keys[order[ends[best_end] + 1]];
  return best;
}

}   // namespace treewright
