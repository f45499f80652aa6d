#include "criteria/all.hpp"
#include "fit_with.hpp"

namespace treewright {

template std::vector<Grown> fit_classes<Gini>(const Columns&, const Target&, const Weights&, const Growth&,
                                              const Trains&, std::atomic<bool>*);
template std::vector<Grown> fit_classes<Entropy>(const Columns&, const Target&, const Weights&, const Growth&,
                                                 const Trains&, std::atomic<bool>*);

}   // namespace treewright
