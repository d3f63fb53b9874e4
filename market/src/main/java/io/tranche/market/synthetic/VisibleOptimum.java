package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.synthetic.IntradayLaw.DayType;
import io.tranche.market.synthetic.IntradayLaw.Pulse;
import org.jspecify.annotations.Nullable;

/// The best policy that knows the market's law and sees only past bars.
///
/// It knows each instrument's long-run volatility and usual volume. It does not know the type of
/// the day (it infers it from the volume so far), the market-wide drift of the split, or future
/// halts and jumps. It is exact except for two simplifications: the day's type is taken as the
/// likelier one rather than as a probability (after half an hour the two are six standard errors
/// apart), and limit days, halts and missing bars are not planned for. Safe to use from several
/// threads.
public final class VisibleOptimum {

  /// Half-way between the log volumes of the two types.
  private static final double BUSY_FROM =
      StrictMath.log(DayType.BUSY.activity() * DayType.QUIET.activity()) / 2;

  private static final double INDIFFERENT = 1e-12;

  private final SyntheticMarket market;
  private final Schedule schedule;
  private final StoppingRule busy;
  private final StoppingRule quiet;

  /// @throws IllegalArgumentException if the schedule reaches beyond the market's day
  public VisibleOptimum(SyntheticMarket market, Schedule schedule) {
    if (schedule.to() > market.law().bars()) {
      throw new IllegalArgumentException(
          "schedule must end by tick %d, was %s".formatted(market.law().bars(), schedule));
    }
    this.market = market;
    this.schedule = schedule;
    this.busy = new StoppingRule(market.law(), DayType.BUSY, schedule);
    this.quiet = new StoppingRule(market.law(), DayType.QUIET, schedule);
  }

  /// Returns the policy for the days of `series`, which must begin with the market's first day and
  /// may come from a file.
  ///
  /// @throws DataException if the market has no such instrument or the series lacks a field
  public Policy policy(BarSeries series) {
    return new Policy(market.instrument(series.instrument()), series);
  }

  /// The optimum on one instrument. Stateless: a result depends only on the bars before the
  /// decision.
  public final class Policy implements StepRule {

    private final Instrument instrument;
    private final BarSeries series;
    private final int open;
    private final int close;
    private final int volume;
    private final double[] volatilities;

    private Policy(Instrument instrument, BarSeries series) {
      this.instrument = instrument;
      this.series = series;
      this.open = field("open");
      this.close = field("close");
      this.volume = field("volume");
      this.volatilities = volatilities();
    }

    private int field(String name) {
      int index = series.fieldIndex(name);
      if (index < 0) {
        throw new DataException(series.instrument(), "a field " + name, series.fields());
      }
      return index;
    }

    private double[] volatilities() {
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
          volatility = market.law().nextVolatility(instrument.volatility(), volatility, dayReturn);
        }
        yesterday = today;
      }
      return result;
    }

    private double lastClose(@Nullable DayFrame day) {
      if (day != null) {
        for (int tick = day.ticks() - 1; tick >= 0; tick--) {
          if (!Float.isNaN(day.value(close, tick))) {
            return day.value(close, tick);
          }
        }
      }
      return Double.NaN;
    }

    /// Returns the part of the whole order to trade in `step`: nothing (0), all that remains (1),
    /// or an even part if all steps are equally good.
    ///
    /// @param day a day of this policy's series
    @Override
    public double share(DayFrame day, Side side, int step) {
      if (step == schedule.steps() - 1) {
        return 1;
      }
      double gain = gainOfWaiting(day, side, step);
      if (Math.abs(gain) <= INDIFFERENT) {
        return 1.0 / schedule.steps();
      }
      return gain > 0 ? 0 : 1;
    }

    /// Returns by how much waiting is expected to beat trading in `step`, in units of the day's
    /// volatility.
    public double gainOfWaiting(DayFrame day, Side side, int step) {
      int tick = schedule.start(step);
      return rule(day, tick).gainOfWaiting(step, side, pulse(day, tick));
    }

    /// Returns the advantage over the window's mean price that the optimum itself expects at the
    /// start of the window, in basis points.
    public double expectedBps(DayFrame day, Side side) {
      int tick = schedule.from();
      double pulse = pulse(day, tick);
      double value =
          tick == 0
              ? (busy.value(side, pulse) + quiet.value(side, pulse)) / 2
              : rule(day, tick).value(side, pulse);
      return 10_000 * volatility(day) * value;
    }

    private double volatility(DayFrame day) {
      return volatilities[series.calendar().dayOf(day.date()) - series.firstDay()];
    }

    private double pulse(DayFrame day, int tick) {
      var pulse = new Pulse(market.law(), volatility(day));
      for (int seen = 0; seen < tick; seen++) {
        pulse.see(day.value(open, seen), day.value(close, seen));
      }
      return pulse.value();
    }

    private StoppingRule rule(DayFrame day, int tick) {
      double evidence = 0;
      for (int seen = 0; seen < tick; seen++) {
        double traded = day.value(volume, seen);
        if (traded > 0) {
          double usual = instrument.lots() * SyntheticMarket.LOT * market.law().volumeShare(seen);
          evidence += StrictMath.log(traded / usual) - BUSY_FROM;
        }
      }
      return evidence > 0 ? busy : quiet;
    }
  }

  /// When to trade on a day of a known type: the exact answer, by dynamic programming.
  ///
  /// Without impact the advantage is linear in the schedule, so the best schedule trades everything
  /// in one step and the question is which: optimal stopping. The past tells nothing about the
  /// future except through the pulse `h`, which is Gauss-Markov. For a sell, measured from the last
  /// price before step `k`,
  ///
  /// - trading in step `k` is worth `a(k) h`, the expected mean of its closes,
  /// - waiting is worth `c(k) h + E[W(k+1, h')]`: how far the price is expected to move meanwhile,
  ///   and the value `W` of the best that then remains, where `h'` given `h` is normal.
  ///
  /// `W` is the better of the two; in the last step it is the first. A buy is a mirrored sell, with
  /// `-h`.
  static final class StoppingRule {

    private static final int GRID = 801;
    private static final int NODES = 193;
    private static final double REACH = 6; // deviations covered by the grid and the quadrature
    private static final double[] WEIGHTS = weights();

    private final double spacing;
    private final double width;
    private final double[][] gainOfWaiting;
    private final double[] value; // of the first step, over the window's mean price

    StoppingRule(IntradayLaw law, DayType type, Schedule schedule) {
      double pull = law.pull(type);
      double persistence = law.decay() + pull;
      double variance = 0;
      double widest = 0;
      for (int bar = 0; bar < law.bars(); bar++) {
        variance = persistence * persistence * variance + square(law.volatility(bar));
        widest = Math.max(widest, variance);
      }
      this.width = REACH * Math.sqrt(widest);
      this.spacing = 2 * width / (GRID - 1);

      int steps = schedule.steps();
      this.gainOfWaiting = new double[steps][GRID];
      double[] ahead = new double[GRID];
      double meanClose = 0; // of the steps from k on, times their bars, for a pulse of 1
      for (int step = steps - 1; step >= 0; step--) {
        double pulse = 1;
        double price = 0;
        double sum = 0;
        double noise = 0;
        int from = schedule.start(step);
        int to = schedule.end(step);
        for (int bar = from; bar < to; bar++) {
          price += pull * pulse;
          sum += price;
          pulse *= persistence;
          noise = persistence * persistence * noise + square(law.volatility(bar));
        }
        meanClose = sum + price * (schedule.to() - to) + pulse * meanClose;
        boolean last = step == steps - 1;
        double[] current = new double[GRID];
        for (int point = 0; point < GRID; point++) {
          double h = point * spacing - width;
          double now = sum / (to - from) * h;
          double later = last ? now : price * h + expectation(ahead, pulse * h, Math.sqrt(noise));
          gainOfWaiting[step][point] = later - now;
          current[point] = Math.max(now, later);
        }
        ahead = current;
      }
      for (int point = 0; point < GRID; point++) {
        ahead[point] -= meanClose / (schedule.to() - schedule.from()) * (point * spacing - width);
      }
      this.value = ahead;
    }

    private static double square(double x) {
      return x * x;
    }

    /// The trapezoid rule with the normal density. The kinks of the value cost less than a
    /// thousandth of it.
    private double expectation(double[] function, double mean, double deviation) {
      double sum = 0;
      for (int node = 0; node < NODES; node++) {
        sum += WEIGHTS[node] * at(function, mean + deviation * node(node));
      }
      return sum;
    }

    private static double node(int number) {
      return REACH * (2.0 * number / (NODES - 1) - 1);
    }

    private static double[] weights() {
      double[] weights = new double[NODES];
      for (int i = 0; i < NODES; i++) {
        weights[i] = StrictMath.exp(-square(node(i)) / 2);
      }
      IntradayLaw.normalise(weights);
      return weights;
    }

    /// Interpolates linearly, and extrapolates linearly beyond the grid.
    private double at(double[] function, double h) {
      double position = (h + width) / spacing;
      int left = Math.clamp((int) Math.floor(position), 0, GRID - 2);
      double part = position - left;
      return function[left] * (1 - part) + function[left + 1] * part;
    }

    /// Returns by how much waiting is expected to beat trading in `step`, in units of the day's
    /// volatility; negative where trading is better.
    double gainOfWaiting(int step, Side side, double pulse) {
      return at(gainOfWaiting[step], -side.sign() * pulse);
    }

    /// Returns the expected advantage of this rule over the window's mean price, seen from its
    /// start, in units of the day's volatility.
    double value(Side side, double pulse) {
      return at(value, -side.sign() * pulse);
    }
  }
}
