#include "criteria/all.hpp"
#include "fit_with.hpp"

namespace treewright {

template Grown fit_numbers<SquaredError>(const Columns&, const Target&, const Weights&, const Growth&,
                                         std::atomic<bool>*);
template Grown fit_numbers<Poisson>(const Columns&, const Target&, const Weights&, const Growth&, std::atomic<bool>*);

}   // namespace treewright
