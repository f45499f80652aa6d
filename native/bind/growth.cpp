// The settings of a growth as Python sees them: one flat list of attributes.
#include "../core/growth.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "grown.hpp"

namespace treewright {

namespace {

// A field of a struct inside Growth, as an attribute of Growth itself. `of`: Growth -> the field.
template <class Of>
void field(nb::class_<Growth>& settings, const char* name, Of of) {
  using Value = std::remove_reference_t<decltype(of(std::declval<Growth&>()))>;
  settings.def_prop_rw(
      name, [of](const Growth& g) -> Value { return of(g); },
      [of](Growth& g, Value value) { of(g) = std::move(value); });
}

// A setting that is one of a few words; the words are in the order of the enum.
template <class Of, std::size_t N>
void words(nb::class_<Growth>& settings, const char* name, Of of, const std::array<const char*, N>& all) {
  using Enum = std::remove_reference_t<decltype(of(std::declval<Growth&>()))>;
  settings.def_prop_rw(
      name, [of, all](const Growth& g) { return all[static_cast<std::size_t>(of(g))]; },
      [of, all, name](Growth& g, const std::string& word) {
        const auto found = std::find(all.begin(), all.end(), word);
        if (found == all.end()) throw std::invalid_argument(std::string(name) + " must not be '" + word + "'.");
        of(g) = static_cast<Enum>(found - all.begin());
      });
}

}   // namespace

}   // namespace treewright

void register_growth(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  nb::class_<Growth> settings(module, "Growth");
  settings.def(nb::init<>())
      .def_rw("criterion", &Growth::criterion)
      .def_rw("max_depth", &Growth::max_depth)
      .def_rw("min_samples_split", &Growth::min_samples_split)
      .def_rw("min_samples_leaf", &Growth::min_samples_leaf)
      .def_rw("min_weight_leaf", &Growth::min_weight_leaf)
      .def_rw("max_leaf_nodes", &Growth::max_leaf_nodes)
      .def_rw("min_impurity_decrease", &Growth::min_impurity_decrease)
      .def_rw("min_confidence", &Growth::min_confidence)
      .def_rw("max_features", &Growth::max_features)
      .def_rw("level_correction", &Growth::level_correction)
      .def_rw("max_surrogates", &Growth::max_surrogates)
      .def_rw("oblique", &Growth::oblique)
      .def_rw("combinable", &Growth::combinable)
      .def_rw("sweep_levels", &Growth::sweep_levels)
      .def_rw("monotonic", &Growth::monotonic)
      .def_rw("lower", &Growth::lower)
      .def_rw("upper", &Growth::upper)
      .def_rw("seed", &Growth::seed)
      .def_rw("n_threads", &Growth::n_threads)
      .def_rw("max_bins", &Growth::max_bins)
      .def_rw("sort_below", &Growth::sort_below)
      .def_rw("waiting_bytes", &Growth::waiting_bytes)
      .def_rw("share_above", &Growth::share_above)
      .def_rw("n_pages", &Growth::n_pages);
  field(settings, "gather_rows", [](auto& g) -> auto& { return g.parts.gather_rows; });
  field(settings, "gather_together", [](auto& g) -> auto& { return g.parts.gather_together; });
  field(settings, "run_rows", [](auto& g) -> auto& { return g.parts.run_rows; });
  field(settings, "histogram_bytes", [](auto& g) -> auto& { return g.parts.histogram_bytes; });
  field(settings, "min_gap", [](auto& g) -> auto& { return g.classic.min_gap; });
  field(settings, "side_share", [](auto& g) -> auto& { return g.classic.side_share; });
  field(settings, "better_by", [](auto& g) -> auto& { return g.classic.better_by; });
  field(settings, "least_gain", [](auto& g) -> auto& { return g.classic.least_gain; });
  field(settings, "leaves_per_weight", [](auto& g) -> auto& { return g.classic.leaves_per_weight; });
  field(settings, "mean_gain", [](auto& g) -> auto& { return g.classic.mean_gain; });
  field(settings, "flat", [](auto& g) -> auto& { return g.classic.flat; });
  field(settings, "spread_missing", [](auto& g) -> auto& { return g.classic.spread_missing; });
  field(settings, "missing_alone", [](auto& g) -> auto& { return g.classic.missing_alone; });
  field(settings, "unseen_stops", [](auto& g) -> auto& { return g.classic.unseen_stops; });
  field(settings, "rounding_decides", [](auto& g) -> auto& { return g.classic.rounding_decides; });
  field(settings, "strict", [](auto& g) -> auto& { return g.classic.strict; });
  field(settings, "single", [](auto& g) -> auto& { return g.classic.single; });
  field(settings, "imperfect_levels", [](auto& g) -> auto& { return g.classic.imperfect_levels; });
  field(settings, "missing_to_more", [](auto& g) -> auto& { return g.classic.missing_to_more; });
  field(settings, "zero_rates", [](auto& g) -> auto& { return g.classic.zero_rates; });
  field(settings, "ordered_sets", [](auto& g) -> auto& { return g.classic.ordered_sets; });
  field(settings, "plain_sums", [](auto& g) -> auto& { return g.classic.plain_sums; });
  field(settings, "use_surrogates", [](auto& g) -> auto& { return g.classic.use_surrogates; });
  field(settings, "class_factors", [](auto& g) -> auto& { return g.classic.class_factors; });
  field(settings, "row_factors", [](auto& g) -> auto& { return g.classic.row_factors; });
  field(settings, "column_costs", [](auto& g) -> auto& { return g.classic.column_costs; });
  field(settings, "alpha", [](auto& g) -> auto& { return g.permutation.alpha; });
  field(settings, "least_statistic", [](auto& g) -> auto& { return g.permutation.least_statistic; });
  field(settings, "min_share", [](auto& g) -> auto& { return g.permutation.min_share; });
  field(settings, "ordered", [](auto& g) -> auto& { return g.permutation.ordered; });
  field(settings, "columns_tried", [](auto& g) -> auto& { return g.permutation.columns_tried; });
  words(
      settings, "test_statistic", [](auto& g) -> auto& { return g.permutation.test; },
      std::array{"quadratic", "maximum"});
  words(
      settings, "cut_statistic", [](auto& g) -> auto& { return g.permutation.cut; },
      std::array{"quadratic", "maximum"});
  words(
      settings, "adjustment", [](auto& g) -> auto& { return g.permutation.adjustment; },
      std::array{"bonferroni", "none", "statistic"});
  words(settings, "order", [](auto& g) -> auto& { return g.order; }, std::array{"depth", "breadth", "best"});
  words(settings, "splitter", [](auto& g) -> auto& { return g.splitter; }, std::array{"best", "random", "gaussian"});
  words(
      settings, "thresholds", [](auto& g) -> auto& { return g.thresholds; },
      std::array{"midpoint", "observed", "rounded", "recorded"});
  words(
      settings, "nominal_splits", [](auto& g) -> auto& { return g.nominal_splits; },
      std::array{"subset", "multiway", "one_vs_rest", "merged"});
  words(
      settings, "missing", [](auto& g) -> auto& { return g.missing; },
      std::array{"learned", "branch", "surrogate", "fractional"});
  words(
      settings, "surrogate_style", [](auto& g) -> auto& { return g.classic.surrogate_style; },
      std::array{"total", "known"});
  words(
      settings, "after_surrogates", [](auto& g) -> auto& { return g.classic.after_surrogates; },
      std::array{"common", "heavier", "stop"});
  words(
      settings, "choice", [](auto& g) -> auto& { return g.classic.comparison; },
      std::array{"exact", "c4.5", "j48", "c5.0", "permutation_test"});
  words(settings, "merging", [](auto& g) -> auto& { return g.classic.merging; }, std::array{"c4.5", "c5.0"});
  words(
      settings, "threshold_cost", [](auto& g) -> auto& { return g.classic.threshold_cost; },
      std::array{"none", "cuts", "gap"});
  words(settings, "branches", [](auto& g) -> auto& { return g.classic.branches; }, std::array{"all", "two", "chosen"});
  words(
      settings, "empty_branches", [](auto& g) -> auto& { return g.classic.empty_branches; },
      std::array{"none", "shares", "class", "nothing"});
}
