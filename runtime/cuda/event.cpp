#include "runtime/cuda/event.h"

#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {

Event::Event(int device, Timing timing) : device_(device) {
  DeviceScope scope(device);
  ERSATZ_CHECK_CUDA(driver().event_create(&event_, timing == Timing::On));
}

Event::~Event() {
  if (event_ && is_usable(device_)) driver().event_destroy(event_);
}

void Event::record(StreamHandle stream) {
  DeviceScope scope(device_);
  ERSATZ_CHECK_CUDA(driver().event_record(event_, stream));
}

bool Event::has_passed() const {
  require_usable(device_);
  const int status = driver().event_query(event_);
  if (status == kNotReady) {
    driver().take_last_error();  // clears kNotReady, which the driver stores as its last error
    return false;
  }
  check_on(device_, status, "driver().event_query(event_)", __FILE__, __LINE__);
  return true;
}

void Event::make_wait(StreamHandle stream) const {
  require_usable(device_);
  ERSATZ_CHECK_CUDA_ON(device_, driver().stream_wait_event(stream, event_));
}

void Event::synchronize() const {
  wait_quietly();
  raise_noted(When::Waited);
}

void Event::wait_quietly() const {
  require_usable(device_);
  ERSATZ_CHECK_CUDA_ON(device_, driver().event_synchronize(event_));
}

float milliseconds_between(const Event& begin, const Event& end) {
  begin.synchronize();
  end.synchronize();
  float result = 0;
  ERSATZ_CHECK_CUDA_ON(end.device(), driver().event_elapsed(&result, begin.handle(), end.handle()));
  return result;
}

}  // namespace ersatz::cuda_module
