package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import org.jspecify.annotations.Nullable;

/// The arithmetic of one day, in time that runs from 0 to 1 and in units of the day's volatility.
///
/// The pulse `h` is an exponentially weighted sum of the day's returns so far, so it is visible to
/// everyone. With `n` bars per day, `d = 1/n` and the memory `m`,
///
/// - the return of bar `t` is `r(t) = b d/m h(t-1) + v(t) e(t)`, `e` standard normal,
/// - the pulse becomes `h(t) = exp(-d/m) h(t-1) + r(t)`, and is 0 at the open.
///
/// `b` is the day type's strength times the market's signal; the squares of `v` sum to 1 over the
/// day.
final class IntradayLaw {

  /// How long a return is remembered, as a part of the day: a fifth is 48 of 240 minutes.
  static final double MEMORY = 0.2;

  /// The share of a large trade's move that is taken back.
  static final double REVERSAL = -0.9;

  /// The share of the leader's return that the others follow.
  static final double FOLLOWING = 0.5;

  /// What a lean of one deviation moves the price, while it lasts.
  static final double PRESSURE = 0.25;

  /// Volatility of the overnight gap in units of the day's.
  static final double GAP = 0.3;

  private static final double NEWS_WEIGHT = 0.2;
  private static final double PERSISTENCE = 0.7;
  private static final double LARGEST_NEWS = 9;

  private final int bars;
  private final double signal;
  private final double decay;
  private final double[] volatility;
  private final double[] volumeShare;
  private final double dayVariance;

  IntradayLaw(int bars, double signal) {
    this.bars = bars;
    this.signal = signal;
    this.decay = StrictMath.exp(-1 / (bars * MEMORY));
    double[] variance = new double[bars];
    this.volumeShare = new double[bars];
    for (int bar = 0; bar < bars; bar++) {
      double at = (bar + 0.5) / bars;
      double fromNoon = (2 * at - 1) * (2 * at - 1);
      variance[bar] = 1 + fromNoon;
      volumeShare[bar] = 1 + 1.5 * fromNoon + StrictMath.exp(-12 * at);
    }
    normalise(variance);
    normalise(volumeShare);
    this.volatility = new double[bars];
    for (int bar = 0; bar < bars; bar++) {
      volatility[bar] = Math.sqrt(variance[bar]);
    }
    this.dayVariance =
        GAP * GAP + (openToCloseVariance(DayType.BUSY) + openToCloseVariance(DayType.QUIET)) / 2;
  }

  static void normalise(double[] weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
  }

  int bars() {
    return bars;
  }

  /// Returns `v` of `bar`.
  double volatility(int bar) {
    return volatility[bar];
  }

  /// Returns what part of a usual day's volume falls into `bar`: the U-shaped curve.
  double volumeShare(int bar) {
    return volumeShare[bar];
  }

  /// Returns the expected return of the next bar for a pulse of 1.
  double pull(DayType type) {
    return pull(type.strength());
  }

  /// Returns the expected return of the next bar for a state of 1 that moves the price by
  /// `strength` while it is remembered.
  double pull(double strength) {
    return signal * strength / (bars * MEMORY);
  }

  /// Returns what is left of a pulse after a bar.
  double decay() {
    return decay;
  }

  /// Returns tomorrow's volatility: it follows today's squared return (GARCH), so anyone who has
  /// seen the past days knows it before the open.
  ///
  /// @param usual the instrument's long-run volatility
  /// @param dayReturn logarithmic, close to close
  double nextVolatility(double usual, double today, double dayReturn) {
    double news = Math.min(dayReturn * dayReturn / dayVariance, LARGEST_NEWS * today * today);
    return Math.sqrt(
        (1 - NEWS_WEIGHT - PERSISTENCE) * usual * usual
            + NEWS_WEIGHT * news
            + PERSISTENCE * today * today);
  }

  /// Returns the volatility of each day of a series that begins with the market's first day.
  double[] volatilities(Instrument instrument, BarSeries series) {
    double[] result = new double[series.endDay() - series.firstDay()];
    double volatility = instrument.volatility();
    double yesterday = Double.NaN;
    for (int i = 0; i < result.length; i++) {
      result[i] = volatility;
      double today = lastClose(series.day(series.firstDay() + i));
      if (Double.isNaN(today)) {
        continue;
      }
      if (!Double.isNaN(yesterday)) {
        double dayReturn = StrictMath.log(today / yesterday);
        volatility = nextVolatility(instrument.volatility(), volatility, dayReturn);
      }
      yesterday = today;
    }
    return result;
  }

  private static double lastClose(@Nullable DayFrame day) {
    if (day != null) {
      int close = day.fieldIndex("close");
      for (int tick = day.ticks() - 1; tick >= 0; tick--) {
        if (!Float.isNaN(day.value(close, tick))) {
          return day.value(close, tick);
        }
      }
    }
    return Double.NaN;
  }

  private double openToCloseVariance(DayType type) {
    double price = 0;
    double both = 0;
    double pulse = 0;
    double pull = pull(type);
    for (int bar = 0; bar < bars; bar++) {
      double noise = volatility[bar] * volatility[bar];
      price += 2 * pull * both + pull * pull * pulse + noise;
      both = (decay + pull) * (both + pull * pulse) + noise;
      pulse = (decay + pull) * (decay + pull) * pulse + noise;
    }
    return price;
  }

  /// The pulse of one day as [IntradayLaw] defines it, kept from the published bars. The generator
  /// and the optimum both use this one, so both mean the same number. Not thread-safe.
  static final class Pulse {

    private final double decay;
    private final double dayVolatility;
    private double value;
    private double lastPrice = Double.NaN;

    Pulse(IntradayLaw law, double dayVolatility) {
      this.decay = law.decay();
      this.dayVolatility = dayVolatility;
    }

    double value() {
      return value;
    }

    /// Takes the next bar, or NaN if it is missing: the last price stays, and the next bar's return
    /// makes up for it.
    ///
    /// @param counts whether its return is part of the pulse
    void see(float open, float close, boolean counts) {
      value *= decay;
      if (!Float.isNaN(close)) {
        if (counts) {
          double from = Double.isNaN(lastPrice) ? open : lastPrice;
          value += StrictMath.log(close / from) / dayVolatility;
        }
        lastPrice = close;
      }
    }
  }

  /// The kind of an instrument's day: on busy days returns continue, on quiet days they reverse.
  /// Only the volume reveals it.
  enum DayType {
    BUSY(1.7, 0.48),
    QUIET(0.6, -1.0);

    /// Volume as a multiple of the usual.
    private final double activity;

    /// The share of a past return that will follow (or be taken back) while it is remembered.
    private final double strength;

    DayType(double activity, double strength) {
      this.activity = activity;
      this.strength = strength;
    }

    double activity() {
      return activity;
    }

    double strength() {
      return strength;
    }
  }
}
