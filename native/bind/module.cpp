// The Python module: one register function per noun.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void register_columns(nb::module_& module);
void register_grow(nb::module_& module);
void register_predict(nb::module_& module);
void register_raising(nb::module_& module);
void register_shapley(nb::module_& module);

NB_MODULE(_core, module) {
  module.doc() = "The counting half of treewright. Use the estimators; these names may change.";
  register_columns(module);
  register_grow(module);
  register_predict(module);
  register_raising(module);
  register_shapley(module);
}
