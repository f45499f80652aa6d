#include "criteria/all.hpp"
#include "fit_with.hpp"

namespace treewright {

template Grown fit_classes<Gini>(const Columns&, const Target&, const Weights&, const Growth&, std::atomic<bool>*);
template Grown fit_classes<Entropy>(const Columns&, const Target&, const Weights&, const Growth&, std::atomic<bool>*);

}   // namespace treewright
