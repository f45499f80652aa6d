// THE LIST of criteria: a new one is one file beside this one and one line here (and its twin in reference/).
#pragma once
#include "absolute_error.hpp"
#include "entropy.hpp"
#include "error.hpp"
#include "gini.hpp"
#include "poisson.hpp"
#include "sqrt_gini.hpp"
#include "squared_error.hpp"

namespace treewright {

template <class... T>
struct List {};

using ClassImpurities = List<Gini, Entropy, Error, SqrtGini>;
using NumberLosses = List<SquaredError, Poisson>;

}   // namespace treewright
