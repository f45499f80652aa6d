// Handing arrays over: vectors become NumPy arrays that own their memory, without a copy.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
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

// The array itself, or a copy of one that lies between the addresses of its type, as views of messages may.
template <class View>
View aligned(const View& view) {
  using T = std::remove_const_t<typename View::Scalar>;
  if (reinterpret_cast<std::uintptr_t>(view.data()) % alignof(T) == 0) return view;
  std::vector<T> copy(view.size());
  if (!copy.empty()) std::memcpy(copy.data(), view.data(), copy.size() * sizeof(T));
  std::vector<std::size_t> shape(view.ndim());
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = view.shape(i);
  return nb::cast<View>(to_array(std::move(copy), std::move(shape)));
}

// A copy. The array may lie anywhere, as those do that were received in a message.
template <class T>
std::vector<T> to_vector(const View1<T>& view) {
  std::vector<T> values(view.shape(0));
  if (!values.empty()) std::memcpy(values.data(), view.data(), values.size() * sizeof(T));
  return values;
}

}   // namespace treewright
