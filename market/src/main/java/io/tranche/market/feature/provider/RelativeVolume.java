package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// How busy the day is: the logarithm of the volume so far divided by the mean volume of the
/// earlier days up to that time of day.
///
/// NaN while nothing has traded, and where no earlier day traded by that time.
///
/// @param days earlier days to average; those without any volume are left out
public record RelativeVolume(int days) implements StreamedProvider {

  public RelativeVolume {
    if (days < 1) {
      throw new IllegalArgumentException("days must be positive, was " + days);
    }
  }

  /// Ten earlier days.
  public RelativeVolume() {
    this(10);
  }

  @Override
  public String name() {
    return "relative_volume";
  }

  @Override
  public List<String> columns() {
    return List.of("$relative_volume");
  }

  @Override
  public List<String> fields() {
    return List.of("volume");
  }

  @Override
  public int earlierDays() {
    return days;
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    FeatureStream profile = new VolumeProfile(days).stream(day, earlier);
    float[] shares = new float[2];
    return (tick, target, at) -> {
      profile.next(tick, shares, 0);
      float done = shares[0];
      float due = shares[1];
      target[at] = done > 0 && due > 0 ? (float) Math.log(done / due) : Float.NaN;
    };
  }
}
