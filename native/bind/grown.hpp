// A grown tree as arrays.
#pragma once
#include "../core/fit.hpp"
#include "arrays.hpp"

namespace treewright {

nb::dict to_dict(const Grown& grown, const Growth& growth);

}   // namespace treewright
