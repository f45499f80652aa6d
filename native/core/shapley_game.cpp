// What an end is worth to the columns on the path to it: by training weights, or before a background.
#include <bit>
#include <mutex>

#include "shapley_walk.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_in_table = 14;                    // columns
constexpr std::size_t most_entries = std::size_t{1} << 25;   // doubles in all tables together

}   // namespace

void Shapley::set_background(const Columns& rows, Pool& pool) {
  n_background_ = rows.n_rows;
  if (n_background_ == 0) throw std::invalid_argument("background must have rows.");
  by_parts_ |= predictor_.shares_rows();
  std::mutex mutex;
  std::vector<std::map<Bits, double>> seen(ends_.size());
  for (End& end : ends_) {
    if (by_parts_) end.parts.resize(rows.n_rows * end.slots.size());
  }
  predictor_.all_routes(rows, pool, [&](std::size_t begin, std::size_t n, std::span<const std::int32_t> routes) {
    Scratch scratch;
    if (by_parts_) {
      for (std::size_t r = 0; r < n; ++r) {
        each_part(r, n, routes, scratch, [&](const End& end, const double* parts) {
          End& own = ends_[static_cast<std::size_t>(&end - ends_.data())];   // every row has a place of its own
          std::copy_n(parts, end.slots.size(),
                      own.parts.begin() + static_cast<std::ptrdiff_t>((begin + r) * end.slots.size()));
        });
      }
      return;
    }
    std::lock_guard lock(mutex);
    each_place(n, routes, scratch, [&](const End& end, const Bits* bits) {
      auto& counts = seen[static_cast<std::size_t>(&end - ends_.data())];
      for (std::size_t r = 0; r < n; ++r) counts[bits[r]] += 1;
    });
  });
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    for (const auto& [bits, count] : seen[e])
      ends_[e].seen.emplace_back(bits, count / static_cast<double>(rows.n_rows));
  }
}

std::vector<double> Shapley::base() const {
  std::vector<double> found(game_.width, 0.0);
  for (const End& end : ends_) {
    const std::size_t m = end.slots.size();
    double share = 0;
    if (n_background_ == 0) {
      share = 1;
      for (const double part : end.cover) share *= part;
    } else if (by_parts_) {
      for (std::size_t z = 0; z < n_background_; ++z) {
        double product = 1;
        for (std::size_t k = 0; k < m; ++k) product *= end.parts[z * m + k];
        share += product / static_cast<double>(n_background_);
      }
    } else {
      const Bits all = m == n_bits ? ~Bits{0} : (Bits{1} << m) - 1;
      for (const auto& [bits, part] : end.seen) share += bits == all ? part : 0;
    }
    for (std::size_t c = 0; c < game_.width; ++c)
      found[c] += share * game_.values[static_cast<std::size_t>(end.node) * game_.width + c];
  }
  return found;
}

// The weights of the columns of an end, for a row that satisfies these bits, into scratch.total.
void Shapley::weigh_bits(const End& end, Bits bits, Scratch& scratch) const {
  const std::size_t m = end.slots.size();
  scratch.make_room(m);
  if (n_background_ == 0) {
    for (std::size_t k = 0; k < m; ++k) scratch.r[k] = static_cast<double>(bits >> k & 1);
    product_weights(m, scratch.r.data(), end.cover.data(), scratch.rule(m), scratch.after.data(), scratch.total.data());
    return;
  }
  std::fill_n(scratch.total.begin(), m, 0.0);
  const Bits all = m == n_bits ? ~Bits{0} : (Bits{1} << m) - 1;
  for (const auto& [other, share] : end.seen) {
    if ((bits | other) != all) continue;   // some column goes on neither way
    const Bits mine = bits & ~other, theirs = other & ~bits;
    const int a = std::popcount(mine), b = std::popcount(theirs);
    const double up = a > 0 ? share * must_be_known(a, b) : 0, down = b > 0 ? share * must_be_known(b, a) : 0;
    for (Bits rest = mine; rest != 0; rest &= rest - 1)
      scratch.total[static_cast<std::size_t>(std::countr_zero(rest))] += up;
    for (Bits rest = theirs; rest != 0; rest &= rest - 1)
      scratch.total[static_cast<std::size_t>(std::countr_zero(rest))] -= down;
  }
}

void Shapley::weigh_parts(const End& end, const double* parts, Scratch& scratch) const {
  const std::size_t m = end.slots.size();
  scratch.make_room(m);
  const LegendreRule& rule = scratch.rule(m);
  if (n_background_ == 0) {
    product_weights(m, parts, end.cover.data(), rule, scratch.after.data(), scratch.total.data());
    return;
  }
  std::fill_n(scratch.total.begin(), m, 0.0);
  for (std::size_t z = 0; z < n_background_; ++z) {
    product_weights(m, parts, end.parts.data() + z * m, rule, scratch.after.data(), scratch.weights.data());
    for (std::size_t k = 0; k < m; ++k) scratch.total[k] += scratch.weights[k] / static_cast<double>(n_background_);
  }
}

void Shapley::make_tables(std::size_t n_rows, Pool& pool) {
  if (by_parts_) return;
  std::vector<std::size_t> chosen;
  std::size_t room = most_entries;
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const std::size_t m = ends_[e].slots.size();
    if (m == 0 || m > most_in_table || (std::size_t{1} << m) > n_rows || (m << m) > room) continue;
    room -= m << m;
    chosen.push_back(e);
  }
  pool.for_each(chosen.size(), [&](std::size_t i) {
    End& end = ends_[chosen[i]];
    const std::size_t m = end.slots.size(), size = std::size_t{1} << m;
    const double value = game_.width == 1 ? game_.values[static_cast<std::size_t>(end.node)] : 1;
    std::vector<double> table(m * size);
    Scratch scratch;
    for (std::size_t bits = 0; bits < size; ++bits) {
      weigh_bits(end, bits, scratch);
      for (std::size_t k = 0; k < m; ++k) table[k * size + bits] = scratch.total[k] * value;
    }
    end.table = std::move(table);
  });
}

}   // namespace treewright
