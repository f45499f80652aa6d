// Giving up the GIL and taking it, also while the interpreter ends. A daemon thread that takes the GIL then is ended by
// CPython 3.13 and older, which unwinds its stack. No destructor here lets that pass, so the process would be aborted: as in
// CPython 3.14, such a thread sleeps until the process is gone.
#pragma once
#include <nanobind/nanobind.h>
#include <unistd.h>

namespace treewright {

template <class Take>
auto take_gil(const Take& take) {
  try {
    return take();
  } catch (...) {   // what unwinds is no exception of C++
    while (true) pause();
  }
}

class ReleasedGil {   // the caller holds the GIL before and after
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ~ReleasedGil() {
    take_gil([&] { PyEval_RestoreThread(state_); });
  }
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;

 private:
  PyThreadState* state_;
};

class HeldGil {   // by any thread
 public:
  HeldGil() : state_(take_gil(PyGILState_Ensure)) {}
  ~HeldGil() { PyGILState_Release(state_); }
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}   // namespace treewright
