package io.tranche.work.data;

import io.tranche.env.ParallelFor;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.volume.VolumeForecast;
import io.tranche.run.play.Difference;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares the learnt volume curve with the mean of the past days, on bars of any market.
///
/// A day is cut into slices. At the beginning of each, both forecast the volume of the slice, and a
/// VWAP order trades the share of what remains that each expects of the rest of the day. Nothing is
/// fitted that the day itself, or a later one, has a part in.
public final class VolumeStudy {

  private static final int AVERAGED = 10; // as the VWAP baseline does
  private static final int FEWEST_EARLIER = 3;
  private static final int SLICES = 16;

  private VolumeStudy() {}

  /// What a curve is worth.
  ///
  /// @param rSquared of the volume of the next slice, in units of a usual day
  /// @param trackingBps root mean square distance of a VWAP order from the market's VWAP
  public record Quality(double rSquared, double trackingBps) {}

  /// The comparison.
  ///
  /// @param days instruments times days
  /// @param saved by how much the learnt curve comes closer to the market's VWAP, in basis points:
  ///   the mean of the distances, clustered by day
  public record Result(
      int instruments, int days, Quality average, Quality learned, Difference saved) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sample(
      LocalDate date,
      double[] volumes,
      double[] average,
      double[] learned,
      double averageBps,
      double learnedBps) {}

  /// Compares on all days of all instruments that have at least three days before them.
  ///
  /// @throws DataException if there is no such day, or the bars have no volumes
  public static Result of(BarSource bars, int threads) {
    if (!bars.fields().contains("volume") || !bars.fields().contains("close")) {
      throw new DataException("BARS", "bars with the fields close and volume", bars.fields());
    }
    List<String> instruments = bars.instruments();
    var samples = new ArrayList<List<Sample>>();
    instruments.forEach(_ -> samples.add(List.of()));
    if (bars.isSequential()) {
      for (int i = 0; i < instruments.size(); i++) {
        samples.set(i, samples(bars.series(instruments.get(i))));
      }
    } else {
      try (var parallel = new ParallelFor(threads)) {
        parallel.run(
            instruments.size(), (i, _) -> samples.set(i, samples(bars.series(instruments.get(i)))));
      }
    }
    List<Sample> all = samples.stream().flatMap(List::stream).toList();
    if (all.isEmpty()) {
      throw new DataException(
          "BARS", "a day with %d days before it".formatted(FEWEST_EARLIER), "none");
    }
    var saved = new Difference.Builder();
    for (Sample each : all) {
      saved.add(each.date, Math.abs(each.averageBps) - Math.abs(each.learnedBps));
    }
    return new Result(
        (int) samples.stream().filter(each -> !each.isEmpty()).count(),
        all.size(),
        new Quality(
            rSquared(all, true), rms(all.stream().mapToDouble(Sample::averageBps).toArray())),
        new Quality(
            rSquared(all, false), rms(all.stream().mapToDouble(Sample::learnedBps).toArray())),
        saved.build());
  }

  private static double rms(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(x -> x * x).average().orElse(0));
  }

  /// The part of the variance of slices that a forecast explains.
  private static double rSquared(List<Sample> all, boolean isAverage) {
    double mean =
        all.stream().flatMapToDouble(each -> Arrays.stream(each.volumes)).average().orElse(0);
    double missed = 0;
    double scatter = 0;
    for (Sample each : all) {
      double[] forecast = isAverage ? each.average : each.learned;
      for (int slice = 0; slice < each.volumes.length; slice++) {
        missed += Math.pow(each.volumes[slice] - forecast[slice], 2);
        scatter += Math.pow(each.volumes[slice] - mean, 2);
      }
    }
    return 1 - missed / scatter;
  }

  private static List<Sample> samples(BarSeries series) {
    var samples = new ArrayList<Sample>();
    for (int day = series.firstDay(); day < series.endDay(); day++) {
      DayFrame frame = series.day(day);
      List<DayFrame> earlier =
          ComputedFeatures.earlier(series, day, VolumeForecast.DAYS).stream()
              .filter(DayFrame::hasBars)
              .toList();
      if (frame != null && frame.hasBars() && earlier.size() >= FEWEST_EARLIER) {
        Sample sample = sample(frame, earlier);
        if (sample != null) {
          samples.add(sample);
        }
      }
    }
    return samples;
  }

  private static @Nullable Sample sample(DayFrame day, List<DayFrame> earlier) {
    VolumeForecast forecast = VolumeForecast.fit(earlier);
    if (!forecast.isKnown()) {
      return null;
    }
    double[] average = average(forecast, earlier);
    int ticks = forecast.ticks();
    double[] volumes = new double[ticks];
    double[] money = new double[ticks];
    add(day, forecast, volumes, money);
    double total = sum(volumes, 0, ticks);
    if (!(total > 0)) {
      return null;
    }
    int slices = Math.min(SLICES, ticks);
    double usual = sum(average, 0, ticks);
    var byAverage = new Follower(slices);
    var byForecast = new Follower(slices);
    double[] traded = new double[slices];
    for (int slice = 0; slice < slices; slice++) {
      int start = Math.ceilDiv(slice * ticks, slices);
      int end = Math.ceilDiv((slice + 1) * ticks, slices);
      traded[slice] = sum(volumes, start, end) / usual;
      double price = sum(money, start, end) / sum(volumes, start, end); // NaN without volume
      byAverage.trade(slice, sum(average, start, end), sum(average, start, ticks), price, usual);
      byForecast.trade(
          slice,
          forecast.between(volumes, start, start, end),
          forecast.between(volumes, start, start, ticks),
          price,
          usual);
    }
    double vwap = sum(money, 0, ticks) / total;
    return new Sample(
        day.date(),
        traded,
        byAverage.forecasts,
        byForecast.forecasts,
        byAverage.distanceBps(vwap),
        byForecast.distanceBps(vwap));
  }

  private static double sum(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum;
  }

  /// Returns the mean volume of the newest days at each tick: the static curve.
  private static double[] average(VolumeForecast forecast, List<DayFrame> earlier) {
    int days = Math.min(AVERAGED, earlier.size());
    double[] sum = new double[forecast.ticks()];
    for (DayFrame past : earlier.subList(earlier.size() - days, earlier.size())) {
      add(past, forecast, sum, new double[sum.length]);
    }
    return Arrays.stream(sum).map(volume -> volume / days).toArray();
  }

  /// Adds the volume and the money of a day to the ticks of a forecast.
  private static void add(DayFrame day, VolumeForecast forecast, double[] volumes, double[] money) {
    int mean = day.fieldIndex("vwap");
    for (int tick = 0; tick < day.ticks(); tick++) {
      double volume = day.value(day.fieldIndex("volume"), tick);
      double price = mean >= 0 ? day.value(mean, tick) : Double.NaN;
      price = price > 0 ? price : day.value(day.fieldIndex("close"), tick);
      if (volume > 0 && price > 0) {
        int at = forecast.tick(day.time(tick), day.date(), day.time(0));
        volumes[at] += volume;
        money[at] += volume * price;
      }
    }
  }

  /// A VWAP order that follows a curve.
  private static final class Follower {

    private final double[] forecasts;
    private double left = 1;
    private double paid;
    private double lastPrice = Double.NaN;

    Follower(int slices) {
      this.forecasts = new double[slices];
    }

    /// @param next volume that is expected of the slice
    /// @param rest of the slice and all later ones
    /// @param price of the slice; NaN if nothing can be traded
    void trade(int slice, double next, double rest, double price, double usual) {
      forecasts[slice] = next / usual;
      if (Double.isNaN(price)) {
        return;
      }
      boolean isLast = slice == forecasts.length - 1;
      double share =
          isLast ? 1 : rest > 0 ? Math.min(1, next / rest) : 1.0 / (forecasts.length - slice);
      paid += left * share * price;
      left -= left * share;
      lastPrice = price;
    }

    double distanceBps(double vwap) {
      double all = left > 0 ? paid + left * lastPrice : paid;
      return 10_000 * (all / vwap - 1);
    }
  }
}
