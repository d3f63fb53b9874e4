package io.tranche.cluster.benchmark;

import io.tranche.experiment.work.JobKind;
import io.tranche.experiment.work.Team;
import io.tranche.experiment.work.Workplace;

/// A workplace that knows how large the last setup was.
final class SetupMeter implements Workplace {

  private final Workplace place;
  private int bytes;

  SetupMeter(Workplace place) {
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
  public Team open(JobKind kind, byte[] setup) {
    bytes = setup.length;
    return place.open(kind, setup);
  }

  @Override
  public void close() {
    place.close();
  }
}
