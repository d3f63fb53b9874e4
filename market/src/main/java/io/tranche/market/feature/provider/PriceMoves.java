package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;
import java.util.stream.IntStream;

/// How the price moved today in units of its usual moves: the recent momentum, and the distance
/// from the day's volume-weighted mean price.
///
/// `$momentumN` is the sum of today's log returns with exponentially falling weights: `1/e` after
/// `N` ticks. `$vwap_gap` is the logarithm of the close over the day's volume-weighted mean close
/// so far. Both are divided by their usual deviation: the root mean square of a tick's return on
/// the earlier days, times the root of half of `N`, or of the ticks so far. The first return of a
/// day is that of its first bar; the night does not count. A missing bar adds nothing, and the
/// return over the gap counts at its end. All are NaN without an earlier day to compare with, and
/// before the first bar.
///
/// @param spans ticks after which a return weighs `1/e`
/// @param days earlier days to compare with
public record PriceMoves(List<Integer> spans, int days) implements StreamedProvider {

  public PriceMoves {
    for (int span : spans) {
      if (span < 1) {
        throw new IllegalArgumentException("spans must be positive, was " + span);
      }
    }
    if (days < 1) {
      throw new IllegalArgumentException("days must be positive, was " + days);
    }
    spans = List.copyOf(spans);
  }

  /// A quarter, half and two hours of 5-minute bars, compared with ten earlier days.
  public PriceMoves() {
    this(List.of(3, 6, 24), 10);
  }

  @Override
  public String name() {
    return "price_moves";
  }

  @Override
  public List<String> columns() {
    return IntStream.rangeClosed(0, spans.size())
        .mapToObj(i -> i < spans.size() ? "$momentum" + spans.get(i) : "$vwap_gap")
        .toList();
  }

  @Override
  public List<String> fields() {
    return List.of("open", "close", "volume");
  }

  @Override
  public int earlierDays() {
    return days;
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    return new Moves(day, usualReturn(earlier), spans);
  }

  private static final class Moves implements FeatureStream {

    private final DayFrame day;
    private final int volumes;
    private final Returns returns;
    private final double usual;
    private final double[] sums;
    private final double[] kept; // of a sum from one tick to the next
    private final double[] scale;
    private double money;
    private double shares;

    Moves(DayFrame day, double usual, List<Integer> spans) {
      this.day = day;
      this.volumes = day.fieldIndex("volume");
      this.returns = new Returns(day);
      this.usual = usual;
      this.sums = new double[spans.size()];
      this.kept = spans.stream().mapToDouble(span -> Math.exp(-1.0 / span)).toArray();
      this.scale = spans.stream().mapToDouble(span -> usual * Math.sqrt(span / 2.0)).toArray();
    }

    @Override
    public void next(int tick, float[] target, int at) {
      double change = returns.at(tick);
      for (int i = 0; i < sums.length; i++) {
        sums[i] = sums[i] * kept[i] + (Double.isNaN(change) ? 0 : change);
        double value = returns.last > 0 ? sums[i] : Double.NaN;
        target[at + i] = (float) (value / scale[i]);
      }
      double volume = day.value(volumes, tick);
      if (!Double.isNaN(change) && volume > 0) {
        money += volume * returns.last;
        shares += volume;
      }
      double gap = Math.log(returns.last * shares / money);
      target[at + sums.length] = (float) (gap / (usual * Math.sqrt(tick + 1.0)));
    }
  }

  /// Returns the root mean square of a tick's return; NaN if there is none or the price did not
  /// move.
  private static double usualReturn(List<DayFrame> earlier) {
    double squares = 0;
    int count = 0;
    for (DayFrame past : earlier) {
      var returns = new Returns(past);
      for (int tick = 0; tick < past.ticks(); tick++) {
        double change = returns.at(tick);
        if (!Double.isNaN(change)) {
          squares += change * change;
          count++;
        }
      }
    }
    return squares > 0 ? Math.sqrt(squares / count) : Double.NaN;
  }

  /// The log returns of one day, tick by tick.
  private static final class Returns {

    private final DayFrame day;
    private final int opens;
    private final int closes;

    /// The last close, NaN before the first.
    private double last = Double.NaN;

    Returns(DayFrame day) {
      this.day = day;
      this.opens = day.fieldIndex("open");
      this.closes = day.fieldIndex("close");
    }

    /// Returns the return that ends at `tick`, NaN if none does.
    double at(int tick) {
      double close = day.value(closes, tick);
      if (!(close > 0)) {
        return Double.NaN;
      }
      double open = day.value(opens, tick);
      double from = last > 0 ? last : open > 0 ? open : close;
      last = close;
      return Math.log(close / from);
    }
  }
}
