package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import io.tranche.market.volume.VolumeForecast;
import java.util.List;

/// What [VolumeForecast] expects: `$volume_next` is the logarithm of the volume of the next
/// sixteenth of the day over an even part of the rest of the day, `$volume_rest` that of the volume
/// of the rest of the day over the usual one.
///
/// Both are NaN without an earlier day that traded, and at the end of the day.
public record VolumeAhead() implements StreamedProvider {

  @Override
  public String name() {
    return "volume_ahead";
  }

  @Override
  public List<String> columns() {
    return List.of("$volume_next", "$volume_rest");
  }

  @Override
  public List<String> fields() {
    return List.of("volume");
  }

  @Override
  public int earlierDays() {
    return VolumeForecast.DAYS;
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    VolumeForecast forecast =
        VolumeForecast.fit(earlier.stream().filter(DayFrame::hasBars).toList());
    return new Ahead(day, forecast);
  }

  private static final class Ahead implements FeatureStream {

    private final DayFrame day;
    private final int volumes;
    private final VolumeForecast forecast;
    private final double[] seen;

    Ahead(DayFrame day, VolumeForecast forecast) {
      this.day = day;
      this.volumes = day.fieldIndex("volume");
      this.forecast = forecast;
      this.seen = new double[forecast.ticks()];
    }

    @Override
    public void next(int tick, float[] target, int at) {
      target[at] = Float.NaN;
      target[at + 1] = Float.NaN;
      if (!forecast.isKnown()) {
        return;
      }
      int slot = forecast.tick(day.time(tick), day.date(), day.time(0));
      float volume = day.value(volumes, tick);
      seen[slot] += volume > 0 ? volume : 0;
      int now = slot + 1;
      int end = Math.min(forecast.ticks(), now + forecast.width());
      double rest = forecast.between(seen, now, now, forecast.ticks());
      if (rest > 0 && end > now) {
        double next = forecast.between(seen, now, now, end);
        double even = rest * (end - now) / (forecast.ticks() - now);
        target[at] = (float) Math.log(next / even);
        target[at + 1] = (float) Math.log(rest / forecast.usual(now, forecast.ticks()));
      }
    }
  }
}
