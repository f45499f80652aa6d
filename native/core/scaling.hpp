// x 2^exponent: a product where the power is a number of its own, which is quicker and as exact.
#pragma once
#include <cmath>

namespace treewright {

class Scaling {
 public:
  explicit Scaling(int exponent = 0) : exponent_(exponent), plain_(exponent >= -1000 && exponent <= 1000) {
    if (plain_) factor_ = std::ldexp(1.0, exponent);
  }
  double operator()(double x) const { return plain_ ? x * factor_ : std::ldexp(x, exponent_); }

 private:
  int exponent_;
  bool plain_;
  double factor_ = 1;
};

}   // namespace treewright
