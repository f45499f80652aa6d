// The Python module: one register function per noun.
#include <nanobind/nanobind.h>

#include "interrupt.hpp"

namespace nb = nanobind;

void register_columns(nb::module_& module);
void register_cut_gains(nb::module_& module);
void register_grow(nb::module_& module);
void register_growth(nb::module_& module);
void register_linear(nb::module_& module);
void register_parts(nb::module_& module);
void register_predict(nb::module_& module);
void register_raising(nb::module_& module);
void register_repeats(nb::module_& module);
void register_shapley(nb::module_& module);
void register_walks(nb::module_& module);

NB_MODULE(_core, module) {
#ifndef __SANITIZE_ADDRESS__
  nb::set_leak_warnings(false);   // a daemon thread may hold a model when the process ends
#endif
  module.doc() = "The counting half of treewright. Use the estimators; these names may change.";
  using treewright::StopFlag;
  nb::class_<StopFlag>(module, "StopFlag")
      .def(nb::init<>())
      .def("watch", [](const StopFlag& flag) { treewright::watched_flag = flag.raised; })
      .def("stop", [](const StopFlag& flag) { flag.raised->store(true); });
  register_columns(module);
  register_cut_gains(module);
  register_growth(module);
  register_grow(module);
  register_linear(module);
  register_parts(module);
  register_predict(module);
  register_raising(module);
  register_repeats(module);
  register_shapley(module);
  register_walks(module);
}
