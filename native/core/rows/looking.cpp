// CountingStore, inside bins: a bin that may hide a better cut is divided by its keys until none does.
#include <array>
#include <numeric>

#include "../search/counted.hpp"
#include "counting_store.hpp"

namespace treewright {

void CountingStore::add_zooms(Search& search, std::int32_t feature, std::span<const Suspect> suspects) {
  const auto f = static_cast<std::size_t>(feature);
  const Histogram& histogram = search.histogram;
  for (const Suspect& suspect : suspects) {
    const auto bin = static_cast<std::size_t>(suspect.bin);
    const std::int64_t* range = &bin_ranges_[2 * (histogram.offset[f] + bin)];
    Zoom zoom{feature,         suspect.bin, suspect.missing_left,
              ~range[1],       range[0],    criterion_.rows(histogram.cell(f, bin)),
              suspect.highest, {}};
    zoom.start.assign(criterion_.width(), 0);
    const auto add = [&](ConstTally cell) {
      for (std::size_t k = 0; k < cell.size(); ++k) zoom.start[k] += cell[k];
    };
    if (suspect.missing_left) add(histogram.cell(f, static_cast<std::size_t>(shape_.bins[f].n_bins)));
    for (std::size_t b = 0; b < bin; ++b) add(histogram.cell(f, b));
    search.zooms.push_back(std::move(zoom));
  }
}

bool CountingStore::matters(const Search& search, const Zoom& zoom) const {
  return may_beat(zoom.highest, zoom.feature, {zoom.bin, zoom.low}, search.choice->incumbent(zoom.feature));
}

namespace {

std::int64_t shift_of(Key low, Key high) {   // so that the keys from low to high fall into n_slices slices
  const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  std::int64_t shift = 0;
  while (range >> shift >= n_slices) ++shift;
  return shift;
}

}   // namespace

// Round after round, all nodes together: slices of the suspected bins, slices of those slices, and so on; rows that are
// few come one by one.
void CountingStore::look_into(std::vector<Search>& searches) {
  for (;;) {
    Wanted coarse, fine;
    std::vector<std::array<std::size_t, 3>> users;   // search, zoom, entry; of both lists
    std::vector<std::vector<Zoom>> deeper(searches.size());
    std::int64_t held = 0;   // bytes of the replies; what is beyond the budget waits for the next pass
    for (std::size_t s = 0; s < searches.size(); ++s) {
      Search& search = searches[s];
      std::erase_if(search.zooms, [&](const Zoom& zoom) { return !matters(search, zoom); });
      std::stable_sort(search.zooms.begin(), search.zooms.end(),
                       [](const Zoom& a, const Zoom& b) { return b.highest < a.highest; });
      const std::array<std::size_t, 2> n_before{coarse.size(), fine.size()};
      for (std::size_t z = 0; z < search.zooms.size(); ++z) {
        const Zoom& zoom = search.zooms[z];
        const bool few = zoom.n_rows <= budget_.run_rows;
        const auto entries = few ? zoom.n_rows : static_cast<std::int64_t>(n_slices);
        held += entries * static_cast<std::int64_t>((2 + criterion_.width()) * sizeof(std::int64_t));
        if (held > budget_.histogram_bytes && !users.empty()) {
          deeper[s].push_back(zoom);
          continue;
        }
        Wanted& wanted = few ? fine : coarse;
        const auto same = [&](const auto& entry) {   // the other side of the missing rows
          return entry.second.feature == zoom.feature && entry.second.low == zoom.low && entry.second.high == zoom.high;
        };
        const auto of_node = wanted.begin() + static_cast<std::ptrdiff_t>(n_before[few]);
        const auto entry = static_cast<std::size_t>(std::find_if(of_node, wanted.end(), same) - wanted.begin());
        if (entry == wanted.size()) wanted.push_back({search.request->node, zoom});
        users.push_back({s, z, 2 * entry + few});
      }
    }
    if (users.empty()) return;
    std::vector<std::int64_t> words{static_cast<std::int64_t>(coarse.size())};
    for (const auto& [node, zoom] : coarse)
      words.insert(words.end(), {node, zoom.feature, zoom.bin, zoom.low, zoom.high, shift_of(zoom.low, zoom.high)});
    for (const auto& [node, zoom] : fine)
      words.insert(words.end(), {node, zoom.feature, zoom.bin, zoom.low, zoom.high});
    const Reply reply = compute(Operation::look, std::move(words));
    const std::vector<SliceCounts> of_coarse = sliced(coarse, reply), of_fine = run_by_run(fine, reply);
    for (const auto& [s, z, entry] : users) {
      Search& search = searches[s];
      const Zoom& zoom = search.zooms[z];
      if (matters(search, zoom)) search_slices(search, zoom, (entry % 2 ? of_fine : of_coarse)[entry / 2], deeper[s]);
    }
    for (std::size_t s = 0; s < searches.size(); ++s) searches[s].zooms = std::move(deeper[s]);
  }
}

std::vector<SliceCounts> CountingStore::sliced(const Wanted& wanted, const Reply& reply) const {
  const std::size_t width = criterion_.width();
  std::vector<SliceCounts> all;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    SliceCounts& found = all.emplace_back();
    found.bin = wanted[i].second.bin;
    found.width = width;
    for (std::size_t s = i * n_slices; s < (i + 1) * n_slices; ++s) {
      if (reply.maxima[2 * s] == nothing) continue;
      found.high.push_back(reply.maxima[2 * s]);
      found.low.push_back(~reply.maxima[2 * s + 1]);
      const auto first = reply.sums.begin() + static_cast<std::ptrdiff_t>(s * width);
      found.tallies.insert(found.tallies.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
  }
  return all;
}

std::vector<SliceCounts> CountingStore::run_by_run(const Wanted& wanted, const Reply& reply) const {
  const std::size_t width = criterion_.width(), step = 2 + width;
  std::vector<std::size_t> begin(wanted.size() + 1, 0);   // of the rows of every entry
  for (std::size_t at = 0; at < reply.items.size(); at += step) ++begin[static_cast<std::size_t>(reply.items[at]) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  struct Row {
    Key key;
    const std::int64_t* tally;
  };
  std::vector<Row> rows(begin.back());
  std::vector<std::size_t> next = begin;
  for (std::size_t at = 0; at < reply.items.size(); at += step)
    rows[next[static_cast<std::size_t>(reply.items[at])]++] = {reply.items[at + 1], &reply.items[at + 2]};
  std::vector<SliceCounts> all(wanted.size());
  pool_.for_each(wanted.size(), [&](std::size_t i) {
    SliceCounts& found = all[i];
    found.bin = wanted[i].second.bin;
    found.width = width;
    const std::span<Row> here = std::span(rows).subspan(begin[i], begin[i + 1] - begin[i]);
    std::sort(here.begin(), here.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
    for (const auto& [key, tally] : here) {
      if (found.low.empty() || found.low.back() != key) {
        found.low.push_back(key);
        found.tallies.resize(found.tallies.size() + width, 0);
      }
      for (std::size_t k = 0; k < width; ++k) found.tallies[found.tallies.size() - width + k] += tally[k];
    }
    found.high = found.low;
  });
  return all;
}

void CountingStore::search_slices(Search& search, const Zoom& zoom, const SliceCounts& slices,
                                  std::vector<Zoom>& deeper) {
  if (slices.size() == 0) return;
  Split found = search.choice->incumbent(zoom.feature);
  const auto open = criterion_.search_slices(input(search, zoom.feature), search.histogram,
                                             shape_.bins[static_cast<std::size_t>(zoom.feature)], slices, zoom.start,
                                             zoom.missing_left, found);
  search.choice->offer(std::move(found));
  std::vector<std::int64_t> start = zoom.start;
  std::size_t next = 0;
  for (const auto& [i, highest] : open) {
    for (; next < i; ++next) slices.add_to(next, start);
    deeper.push_back({zoom.feature, zoom.bin, zoom.missing_left, slices.low[i], slices.high[i],
                      criterion_.rows(slices.tally(i)), highest, start});
  }
}

}   // namespace treewright
