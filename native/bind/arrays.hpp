// Handing arrays over: vectors become NumPy arrays that own their memory, without a copy.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

namespace treewright {

namespace nb = nanobind;

template <class T>
using Array1 = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using View1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using View2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using View3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object to_array(std::vector<T>&& values, std::vector<std::size_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  nb::capsule owner(held.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  T* data = held.release()->data();
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
}

}   // namespace treewright
