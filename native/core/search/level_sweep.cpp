#include "level_sweep.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace treewright {

namespace {

// Brings every coordinate below 2^40, so that determinants fit 128 bits: common factors of two go first, and only
// weights beyond that are rounded.
void fit_determinants(std::vector<Sums3>& sums) {
  for (std::size_t d = 0; d < 3; ++d) {
    std::uint64_t all = 0, most = 0;
    for (const Sums3& s : sums) {
      const auto size = static_cast<std::uint64_t>(s[d] < 0 ? -s[d] : s[d]);
      all |= size;
      most = std::max(most, size);
    }
    if (all == 0) continue;
    const int zeros = std::countr_zero(all), length = 64 - std::countl_zero(most);
    const int shift = std::max(length > 40 ? std::min(zeros, length) : 0, length - 40);
    for (Sums3& s : sums) s[d] = (s[d] + (shift > zeros ? std::int64_t{1} << (shift - 1) : 0)) >> shift;
  }
}

// `Int` holds determinants of the coordinates.
template <class Int>
class Sweep {
 public:
  using Normal = std::array<Int, 3>;

  Sweep(const std::vector<Sums3>& axes, const std::function<void(std::size_t)>& move,
        const std::function<void()>& visit)
      : axes_(axes), move_(move), visit_(visit), normals_(axes.size()), left_(axes.size(), 0) {}

  void run() {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) turn_around(axis);
  }

 private:
  struct Turn {
    std::size_t level;
    bool opposite;   // its direction is half a turn away
  };
  static Normal cross(const Sums3& a, const Sums3& b) {
    return {Int{a[1]} * b[2] - Int{a[2]} * b[1], Int{a[2]} * b[0] - Int{a[0]} * b[2],
            Int{a[0]} * b[1] - Int{a[1]} * b[0]};
  }
  static bool zero(const Normal& c) { return c[0] == 0 && c[1] == 0 && c[2] == 0; }
  static Int dot(const Normal& c, const Sums3& s) { return c[0] * s[0] + c[1] * s[1] + c[2] * s[2]; }

  void put(std::size_t k, bool to_left) {
    if (left_[k] == to_left) return;
    left_[k] = to_left;
    move_(k);
  }
  Int after(const Turn& a, const Turn& b) const {   // the sign of the turn from a to b
    const Int det = dot(normals_[a.level], axes_[b.level]);
    return a.opposite != b.opposite ? -det : det;
  }
  void visit_both(std::size_t axis) {   // the axis itself lies in the plane
    for (const bool to_left : {true, false}) {
      put(axis, to_left);
      visit_();
    }
  }

  void turn_around(std::size_t axis) {
    turns_.clear();
    Normal zero_turn{};   // the direction that counts as no turn
    std::size_t coordinate = 3;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const Normal c = normals_[k] = cross(axes_[axis], axes_[k]);
      if (zero(c)) continue;   // the axis; or sums of nothing, which stay on the right
      if (coordinate == 3) {
        zero_turn = c;
        coordinate = c[0] != 0 ? 0 : c[1] != 0 ? 1 : 2;
      }
      const Int side = dot(zero_turn, axes_[k]);
      turns_.push_back({k, side != 0 ? side < 0 : (c[coordinate] < 0) != (zero_turn[coordinate] < 0)});
    }
    std::sort(turns_.begin(), turns_.end(), [&](const Turn& a, const Turn& b) {
      const Int turn = after(a, b);
      return turn != 0 ? turn > 0 : a.level < b.level;
    });
    for (const Turn& turn : turns_) put(turn.level, !turn.opposite);
    visit_both(axis);
    for (std::size_t t = 0; t < turns_.size(); ++t) {
      put(turns_[t].level, turns_[t].opposite);
      if (t + 1 < turns_.size() && after(turns_[t], turns_[t + 1]) != 0) visit_both(axis);
    }
  }

  const std::vector<Sums3>& axes_;
  const std::function<void(std::size_t)>& move_;
  const std::function<void()>& visit_;
  std::vector<Normal> normals_;   // of the planes through the axis and each direction
  std::vector<std::uint8_t> left_;
  std::vector<Turn> turns_;
};

}   // namespace

Directions directions_of(std::vector<Sums3> sums) {
  fit_determinants(sums);
  Directions found;
  std::map<Sums3, std::uint32_t> known;
  for (Sums3 s : sums) {
    const std::int64_t common = std::gcd(std::gcd(s[0], s[1]), s[2]);
    if (common > 1)
      for (std::int64_t& x : s) x /= common;
    const auto [at, is_new] = known.try_emplace(s, static_cast<std::uint32_t>(found.size()));
    if (is_new) found.axes.push_back(s);
    found.of.push_back(at->second);
  }
  return found;
}

void sweep(const std::vector<Sums3>& axes, const std::function<void(std::size_t)>& move,
           const std::function<void()>& visit) {
  std::int64_t most = 0;
  for (const Sums3& s : axes)
    for (const std::int64_t x : s) most = std::max(most, x < 0 ? -x : x);
  if (most < (std::int64_t{1} << 20)) Sweep<std::int64_t>(axes, move, visit).run();   // 6 x 2^60 < 2^63
  else Sweep<Wide>(axes, move, visit).run();
}

}   // namespace treewright
