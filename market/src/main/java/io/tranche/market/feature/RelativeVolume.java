package io.tranche.market.feature;

import io.tranche.market.DayFrame;
import java.util.List;

/// How busy the day is: the logarithm of the volume so far over what usually has traded by that
/// time of day, the mean over the earlier days.
///
/// NaN as long as nothing has traded, and where no earlier day traded by that time.
public final class RelativeVolume implements FeatureProvider {

  private final VolumeProfile profile;

  /// Ten earlier days.
  public RelativeVolume() {
    this(10);
  }

  /// @param days earlier days to average; those without any volume are left out
  public RelativeVolume(int days) {
    this.profile = new VolumeProfile(days);
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
    return profile.fields();
  }

  @Override
  public int earlierDays() {
    return profile.earlierDays();
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    float[] shares = new float[2 * day.ticks()];
    profile.compute(day, earlier, shares);
    for (int tick = 0; tick < day.ticks(); tick++) {
      float done = shares[2 * tick];
      float due = shares[2 * tick + 1];
      target[tick] = done > 0 && due > 0 ? (float) Math.log(done / due) : Float.NaN;
    }
  }
}
