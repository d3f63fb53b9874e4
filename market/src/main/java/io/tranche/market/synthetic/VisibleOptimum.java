package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
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
    double gainOfWaiting(DayFrame day, Side side, int step) {
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
}
