package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.synthetic.IntradayLaw.DayType;

/// The best policy that knows the market's law and sees only past bars.
///
/// It knows each instrument's long-run volatility and usual volume, but neither the market-wide
/// drift of the split nor future halts and jumps; limit days, halts and missing bars are not
/// planned for. By law:
///
/// - [Law#PULSE]: exact, except that the day's type is taken as the one that the volume so far
///   makes likelier (after half an hour the two are six standard errors apart).
/// - [Law#REVERSAL], [Law#LEAD_LAG], [Law#FLOW]: exact.
/// - [Law#REGIMES]: a bound. It is told the regime, which others must find out.
/// - [Law#DRIFT]: a bound. It is told the drift, which nobody can know.
/// - [Law#IMPACT]: the best schedule that is fixed in advance.
///
/// Safe to use from several threads.
public final class VisibleOptimum {

  /// Half-way between the log volumes of the two types.
  private static final double BUSY_FROM =
      StrictMath.log(DayType.BUSY.activity() * DayType.QUIET.activity()) / 2;

  private static final double INDIFFERENT = 1e-12;

  private final SyntheticMarket market;
  private final Schedule schedule;
  private final Law law;
  private final StoppingRule busy; // the only one where all days are of one kind
  private final StoppingRule quiet;
  private final ImpactSchedule cheapest;

  /// @throws IllegalArgumentException if the schedule reaches beyond the market's day
  public VisibleOptimum(SyntheticMarket market, Schedule schedule) {
    if (schedule.to() > market.law().bars()) {
      throw new IllegalArgumentException(
          "schedule must end by tick %d, was %s".formatted(market.law().bars(), schedule));
    }
    this.market = market;
    this.schedule = schedule;
    this.law = market.config().law();
    IntradayLaw clock = market.law();
    PriceLaw first =
        switch (law) {
          case PULSE, REGIMES -> PriceLaw.pulse(clock, DayType.BUSY);
          case REVERSAL -> PriceLaw.reversal(clock);
          case LEAD_LAG -> PriceLaw.following(clock);
          case FLOW -> PriceLaw.flow(clock);
          case DRIFT, IMPACT -> PriceLaw.silent(clock);
        };
    this.busy = new StoppingRule(first, schedule);
    this.quiet =
        law == Law.PULSE || law == Law.REGIMES
            ? new StoppingRule(clock, DayType.QUIET, schedule)
            : busy;
    this.cheapest = new ImpactSchedule(clock, schedule, market.config().impactDecay());
  }

  /// Returns the policy for the days of `series`, which must begin with the market's first day and
  /// may come from a file.
  ///
  /// @throws DataException if the market has no such instrument or the series lacks a field
  public Policy policy(BarSeries series) {
    return new Policy(market.instrument(series.instrument()), series);
  }

  /// Returns the part of TWAP's impact that the best schedule saves; 0 unless the market's law is
  /// [Law#IMPACT].
  public double savedImpact() {
    return law == Law.IMPACT ? cheapest.saved() : 0;
  }

  /// The optimum on one instrument. Stateless: a result depends only on the bars before the
  /// decision.
  public final class Policy implements StepRule {

    private final Instrument instrument;
    private final BarSeries series;
    private final int open;
    private final int close;
    private final int volume;
    private final int bids;
    private final int asks;
    private final double[] volatilities;
    private final double[] followed;

    private Policy(Instrument instrument, BarSeries series) {
      this.instrument = instrument;
      this.series = series;
      this.open = field("open");
      this.close = field("close");
      this.volume = field("volume");
      this.bids = law == Law.FLOW ? field("bidv1") : -1;
      this.asks = law == Law.FLOW ? field("askv1") : -1;
      this.volatilities = market.law().volatilities(instrument, series);
      this.followed = market.followed(instrument);
    }

    private int field(String name) {
      int index = series.fieldIndex(name);
      if (index < 0) {
        throw new DataException(series.instrument(), "a field " + name, series.fields());
      }
      return index;
    }

    /// Returns the part of the whole order to trade in `step`: nothing (0), all that remains (1),
    /// or an even part if all steps are equally good. Where trading moves the price it is a part
    /// in between.
    ///
    /// @param day a day of this policy's series
    @Override
    public double share(DayFrame day, Side side, int step) {
      if (step == schedule.steps() - 1) {
        return 1;
      }
      if (law == Law.IMPACT) {
        return cheapest.share(step);
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
      if (law == Law.DRIFT) {
        double rise = -side.sign() * drift(day);
        int other = rise > 0 ? schedule.steps() - 1 : Math.min(step + 1, schedule.steps() - 1);
        return rise * (middle(other) - middle(step)) / volatility(day);
      }
      int tick = schedule.start(step);
      return leads() ? 0 : rule(day, tick).gainOfWaiting(step, side, state(day, tick));
    }

    /// Returns the advantage over the window's mean price that the optimum itself expects at the
    /// start of the window, in basis points.
    public double expectedBps(DayFrame day, Side side) {
      if (law == Law.DRIFT) {
        double rise = -side.sign() * drift(day);
        double step = middle(rise > 0 ? schedule.steps() - 1 : 0);
        return 10_000 * rise * (step - (schedule.from() + schedule.to()) / 2.0);
      }
      if (leads()) {
        return 0;
      }
      int tick = schedule.from();
      double state = state(day, tick);
      double value =
          tick == 0 && law == Law.PULSE
              ? (busy.value(side, state) + quiet.value(side, state)) / 2
              : rule(day, tick).value(side, state);
      return 10_000 * volatility(day) * value;
    }

    /// A leader follows nobody.
    private boolean leads() {
      return market.leads(instrument.number());
    }

    /// Returns the drift of a bar.
    private double drift(DayFrame day) {
      return market.drift(number(day)) / 10_000 / market.law().bars();
    }

    /// Returns the middle of a step in ticks.
    private double middle(int step) {
      return (schedule.start(step) + schedule.end(step)) / 2.0;
    }

    private int number(DayFrame day) {
      return series.calendar().dayOf(day.date());
    }

    private double volatility(DayFrame day) {
      return volatilities[number(day) - series.firstDay()];
    }

    private double state(DayFrame day, int tick) {
      int firstRow = number(day) * market.law().bars();
      var state =
          new DayState(
              law, market.law(), instrument, volatility(day), followed, firstRow);
      for (int seen = 0; seen < tick; seen++) {
        state.see(
            day.value(open, seen),
            day.value(close, seen),
            day.value(volume, seen),
            bids < 0 ? Float.NaN : day.value(bids, seen),
            asks < 0 ? Float.NaN : day.value(asks, seen));
      }
      return state.value();
    }

    private StoppingRule rule(DayFrame day, int tick) {
      return switch (law) {
        case PULSE -> ruleOfVolume(day, tick);
        case REGIMES -> market.regime(number(day)) == DayType.BUSY ? busy : quiet;
        case REVERSAL, LEAD_LAG, FLOW, DRIFT, IMPACT -> busy;
      };
    }

    private StoppingRule ruleOfVolume(DayFrame day, int tick) {
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
