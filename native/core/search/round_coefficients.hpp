// Coefficients that read well.
#pragma once
#include "../combination.hpp"

namespace treewright {

// The same direction with round coefficients, simplest first: small whole numbers (2 x - y, 2 x + 3 y), then two digits
// (x + 1.7 y). The coefficient of least size is then about 1, and the first is positive.
std::vector<Combination> rounded(const Combination& exact);

}   // namespace treewright
