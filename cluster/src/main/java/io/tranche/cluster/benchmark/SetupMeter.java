package io.tranche.cluster.benchmark;

import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;

/// A backend that knows the size of the last setup.
final class SetupMeter implements JobBackend {

  private final JobBackend place;
  private int bytes;

  SetupMeter(JobBackend place) {
    this.place = place;
  }

  int bytes() {
    return bytes;
  }

  @Override
  public String name() {
    return place.name();
  }

  @Override
  public int width() {
    return place.width();
  }

  @Override
  public JobSession open(JobKind kind, byte[] setup) {
    bytes = setup.length;
    return place.open(kind, setup);
  }

  @Override
  public void close() {
    place.close();
  }
}
