// Sums over the branches of a tree, and the order in which they are pruned.
#include "../core/weakest_link.hpp"
#include "arrays.hpp"

namespace treewright {

namespace {

// The sum of every column of `values`, a row per node, over each node and all nodes below it. The last child is added first.
nb::object sum_below(View1<std::int64_t> parent, View2<double> values) {
  const std::size_t n = parent.shape(0), width = values.shape(1);
  if (values.shape(0) != n) throw std::invalid_argument("values must have one row per node.");
  for (std::size_t t = 1; t < n; ++t) {
    if (parent(t) < 0 || parent(t) >= static_cast<std::int64_t>(t))
      throw std::invalid_argument("children must lie after their parent.");
  }
  std::vector<double> sums(values.data(), values.data() + n * width);
  for (std::size_t t = n; t-- > 1;) {
    double* to = sums.data() + static_cast<std::size_t>(parent(t)) * width;
    for (std::size_t k = 0; k < width; ++k) to[k] += sums[t * width + k];
  }
  return to_array(std::move(sums), {n, width});
}

nb::object weakest_link_arrays(View1<std::int32_t> first_child, View1<std::int32_t> n_children, View1<double> risk) {
  if (first_child.shape(0) == 0 || n_children.shape(0) != first_child.shape(0) ||
      risk.shape(0) != first_child.shape(0)) {
    throw std::invalid_argument("first_child, n_children and risk must have one entry per node.");
  }
  const std::size_t n = first_child.shape(0);
  for (std::size_t t = 0; t < n; ++t) {
    const std::int64_t first = first_child(t), last = first + n_children(t);
    if (n_children(t) < 0 ||
        (n_children(t) > 0 && (first <= static_cast<std::int64_t>(t) || last > static_cast<std::int64_t>(n)))) {
      throw std::invalid_argument("children must lie after their parent and within the tree.");
    }
  }
  return to_array(weakest_link({first_child.data(), n}, {n_children.data(), n}, {risk.data(), n}));
}

}   // namespace

}   // namespace treewright

void register_walks(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  module.def("sum_below", &sum_below, nb::arg("parent"), nb::arg("values"));
  module.def("weakest_link", &weakest_link_arrays, nb::arg("first_child"), nb::arg("n_children"), nb::arg("risk"));
}
