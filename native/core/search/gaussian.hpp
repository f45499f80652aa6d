// Gaussian splits: a normal density is fitted to each class, and only where two of them, weighted by their classes,
// cross is a threshold tried. A handful of candidates per column instead of all: coarser, less prone to chase noise,
// and wrong where classes are not normal.
#pragma once
#include <cmath>
#include <tuple>

#include "../any_criterion.hpp"
#include "../logarithm.hpp"
#include "../scan.hpp"

namespace treewright {

struct Normal {   // of one class
  double weight = 0, mean = 0, variance = 0;
};

// Where weight_a N(a) = weight_b N(b): at most two places.
inline void add_crossings(const Normal& a, const Normal& b, std::vector<double>& places) {
  if (!(a.variance > 1e-300) || !(b.variance > 1e-300)) {   // a class of one value has no density: the middle stands in
    places.push_back(a.mean / 2 + b.mean / 2);
    return;
  }
  // q2 x^2 + q1 x + q0 = 0, with x counted from the middle of the means so that little cancels.
  const double middle = a.mean / 2 + b.mean / 2, ma = a.mean - middle, mb = b.mean - middle;
  const double q2 = 0.5 / b.variance - 0.5 / a.variance;
  const double q1 = ma / a.variance - mb / b.variance;
  const double q0 = 0.5 * mb * mb / b.variance - 0.5 * ma * ma / a.variance + ln(a.weight) - ln(b.weight) -
                    0.5 * (ln(a.variance) - ln(b.variance));
  if (std::fabs(q2) <= 1e-12 * (0.5 / a.variance + 0.5 / b.variance)) {
    if (q1 != 0) places.push_back(middle - q0 / q1);
    return;
  }
  const double under = q1 * q1 - 4 * q2 * q0;
  if (under < 0) return;
  const double half = -0.5 * (q1 + std::copysign(std::sqrt(under), q1));
  places.push_back(middle + half / q2);
  if (half != 0) places.push_back(middle + q0 / half);
}

struct ItemsAtPlaces {   // sorted rows as buckets; cuts only where a place lies between two values
  const AnyCriterion& criterion;
  std::span<const Item> items;
  KeyKind kind;
  std::vector<double> places;   // ascending
  std::vector<Key> last_left;   // of each place

  std::size_t size() const { return items.size(); }
  void add_to(std::size_t i, Tally left) const { criterion.add(left, items[i].row); }
  std::size_t place_after(std::size_t i) const {   // the first place in [key i, key i + 1), or none
    const auto found = std::lower_bound(last_left.begin(), last_left.end(), items[i].key);
    if (found == last_left.end() || *found >= items[i + 1].key) return places.size();
    return static_cast<std::size_t>(found - last_left.begin());
  }
  bool may_cut_after(std::size_t i) const { return items[i].key != items[i + 1].key && place_after(i) < places.size(); }
  void cut(std::size_t i, Split& split) const {
    const std::size_t at = place_after(i);
    split.place = {0, items[i].key};
    split.threshold = Threshold{places[at]};
    split.low = items[i].key;
    split.high = items[i + 1].key;
    split.has_neighbours = true;
  }
};

// keys[i] is the value of rows[i]. Values are summed in ascending order, so the order of the rows does not matter.
inline void search_gaussian(const SearchContext<AnyCriterion>& context, KeyKind kind, std::span<const RowIndex> rows,
                            std::span<const Key> keys, Split& best) {
  const AnyCriterion& criterion = context.criterion;
  const std::span<const std::int64_t> weights = criterion.weights();
  const auto weight_of = [&](RowIndex row) { return weights.empty() ? 1 : weights[row]; };
  std::vector<Item> items;
  OwnTally<AnyCriterion> missing(criterion);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (keys[i] == missing_key) criterion.add(missing, rows[i]);
    else items.push_back({keys[i], rows[i]});
  }
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    return std::tuple(a.key, criterion.class_of(a.row), weight_of(a.row)) <
           std::tuple(b.key, criterion.class_of(b.row), weight_of(b.row));
  });
  const auto number = [kind](Key key) {
    return kind == KeyKind::real ? number_of(key) : static_cast<double>(Wide{key} - zero_key(kind));
  };
  std::vector<Normal> normals(criterion.n_sums());
  for (const bool centred : {false, true}) {
    for (const Item& item : items) {
      Normal& normal = normals[criterion.class_of(item.row)];
      const double x = number(item.key), w = static_cast<double>(weight_of(item.row));
      if (!std::isfinite(x)) continue;
      if (centred) normal.variance += w * (x - normal.mean) * (x - normal.mean);
      else normal.weight += w, normal.mean += w * x;
    }
    for (Normal& normal : normals) {
      if (normal.weight > 0) (centred ? normal.variance : normal.mean) /= normal.weight;
    }
  }
  ItemsAtPlaces buckets{criterion, items, kind, {}, {}};
  for (std::size_t a = 0; a < normals.size(); ++a) {
    for (std::size_t b = a + 1; b < normals.size(); ++b) {
      if (normals[a].weight > 0 && normals[b].weight > 0) add_crossings(normals[a], normals[b], buckets.places);
    }
  }
  std::erase_if(buckets.places, [](double x) { return !std::isfinite(x); });
  std::sort(buckets.places.begin(), buckets.places.end());
  for (const double x : buckets.places) buckets.last_left.push_back(last_key_left(kind, Threshold{x}));
  const MissingPlacement<AnyCriterion> placement(context, missing);
  if (items.size() > 1) {
    placement.each_side(
        [&](ConstTally start, bool missing_left) { scan(placement.context, buckets, start, missing_left, best); });
  }
  if (best.feature == context.feature && best) best.found_by = FoundBy::gaussian;
  placement.add_missing_child(best);
  placement.offer_missing_alone(best);
  placement.set_split_info(best);
}

}   // namespace treewright
