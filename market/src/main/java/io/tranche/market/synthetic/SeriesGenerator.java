package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.random.Draws;
import io.tranche.market.synthetic.IntradayLaw.DayType;
import java.util.Arrays;

/// Draws all bars of one instrument, day after day.
final class SeriesGenerator {

  /// The share of a bar's variance that is common to all instruments.
  private static final double MARKET_SHARE = 0.1;

  private static final double MARKET_WEIGHT = Math.sqrt(MARKET_SHARE);
  private static final double OWN_WEIGHT = Math.sqrt(1 - MARKET_SHARE);

  /// How far a night pulls the price back to its start, so that it never gets close to one tick.
  private static final double HOMING = 0.01;

  private static final double VOLUME_NOISE = 0.35;
  private static final double VOLUME_OF_MOVES = 0.3;
  private static final double USUAL_MOVE = 0.8; // mean of a standard normal number's size
  private static final double VOLUME_AT_LIMIT = 0.2;

  private static final int OPEN = 0;
  private static final int HIGH = 1;
  private static final int LOW = 2;
  private static final int CLOSE = 3;
  private static final int VOLUME = 4;
  private static final int VWAP = 5;
  private static final int FACTOR = 6;
  private static final int CHANGE = 7;
  private static final int LIMIT_BUY = 8;
  private static final int LIMIT_SELL = 9;

  private final SyntheticMarket source;
  private final SyntheticConfig config;
  private final IntradayLaw law;
  private final double[] followed;
  private final Instrument instrument;
  private final float[][] columns;
  private final BookPainter book;

  // The state that carries over from one day to the next.
  private double logPrice;
  private double volatility;
  private double lastClose = Double.NaN; // as published

  SeriesGenerator(SyntheticMarket source, Instrument instrument) {
    this.source = source;
    this.config = source.config();
    this.law = source.law();
    this.followed = source.followed(instrument);
    this.instrument = instrument;
    this.columns = new float[config.book().fields().size()][config.days() * law.bars()];
    this.book = new BookPainter(config.book(), instrument, columns);
    this.logPrice = StrictMath.log(instrument.price());
    this.volatility = instrument.volatility();
  }

  BarSeries generate(Calendar calendar) {
    for (float[] column : columns) {
      Arrays.fill(column, Float.NaN);
    }
    for (int day = 0; day < config.days(); day++) {
      DayPlan plan = DayPlan.draw(source, instrument.number(), day, law.bars());
      if (!plan.halted()) {
        trade(day, plan);
      }
    }
    return BarSeries.wrap(
        Instrument.code(instrument.number()), calendar, 0, config.book().fields(), columns);
  }

  private void trade(int day, DayPlan plan) {
    var own = Stream.BARS.of(config.seed(), instrument.number(), day);
    var market = Stream.MARKET.of(config.seed(), 0, day);
    var bookDraws = Stream.BOOK.of(config.seed(), instrument.number(), day);
    var large = Stream.LARGE.of(config.seed(), instrument.number(), day);
    var flow = Stream.FLOW.of(config.seed(), instrument.number(), day);
    double drift = source.drift(day) / 10_000 / law.bars();
    double pull = pull(day, plan.type());
    var band =
        PriceBand.around(Double.isNaN(lastClose) ? PriceBand.ticks(instrument.price()) : lastClose);
    var state =
        new DayState(config.law(), law, instrument, volatility, followed, day * law.bars());
    double published = Double.NaN;
    logPrice +=
        volatility * IntradayLaw.GAP * plan.gap()
            - HOMING * (logPrice - StrictMath.log(instrument.price()));
    double price = band.allow(StrictMath.exp(logPrice));
    for (int bar = 0; bar < law.bars(); bar++) {
      int row = day * law.bars() + bar;
      double open = price;
      double surprise = OWN_WEIGHT * own.normal() + MARKET_WEIGHT * market.normal();
      boolean isLarge = config.law() == Law.REVERSAL && large.chance(LargeTrades.CHANCE);
      double size = law.volatility(bar) * size(isLarge);
      boolean stuck = bar >= plan.limitBar();
      if (stuck) {
        price = plan.limitUp() ? band.upper() : band.lower();
        logPrice = StrictMath.log(price);
      } else {
        logPrice += drift + volatility * (pull * state.value() + size * surprise);
        price = band.allow(StrictMath.exp(logPrice));
      }
      double reach = stuck ? 0 : volatility * size * price;
      double high = band.allow(bridge(open, price, reach, own.uniform(), 1));
      double low = band.allow(bridge(open, price, reach, own.uniform(), -1));
      double lots = lots(plan.type(), bar, own.normal(), surprise) * (stuck ? VOLUME_AT_LIMIT : 1);
      lots *= isLarge ? LargeTrades.VOLUME : 1;
      boolean missing = own.chance(plan.missingBar()) || plan.isPaused(bar);
      if (!missing) {
        publish(row, band, open, high, low, price, lots);
        published = price;
      }
      double lean = config.law() == Law.FLOW ? lean(bar, state.value(), flow.normal()) : 0;
      book.paint(row, bookDraws, law.volumeShare(bar), price, band, missing, lean);
      state.see(
          columns[OPEN][row],
          columns[CLOSE][row],
          columns[VOLUME][row],
          book.bids(row),
          book.asks(row));
    }
    close(published);
  }

  private double pull(int day, DayType type) {
    return switch (config.law()) {
      case PULSE -> law.pull(type);
      case REGIMES -> law.pull(source.regime(day));
      case REVERSAL -> law.pull(IntradayLaw.REVERSAL);
      case LEAD_LAG -> law.pull(IntradayLaw.FOLLOWING);
      case FLOW -> law.pull(IntradayLaw.PRESSURE);
      case DRIFT, IMPACT -> 0;
    };
  }

  /// Returns the size of a move in units of the usual one.
  private double size(boolean isLarge) {
    if (config.law() != Law.REVERSAL) {
      return 1;
    }
    return isLarge ? LargeTrades.LARGE_MOVE : LargeTrades.USUAL_MOVE;
  }

  /// Returns where the book leans at the end of a bar, as the logarithm of its bids over its asks.
  private double lean(int bar, double before, double noise) {
    double kept = law.decay();
    return bar == 0 ? noise : kept * before + Math.sqrt(1 - kept * kept) * noise;
  }

  private double lots(DayType type, int bar, double noise, double surprise) {
    return instrument.lots()
        * law.volumeShare(bar)
        * (config.law() == Law.REVERSAL ? 1 : type.activity()) // there volume tells large trades
        * StrictMath.exp(
            VOLUME_NOISE * noise + VOLUME_OF_MOVES * (Math.abs(surprise) - USUAL_MOVE));
  }

  /// Draws the highest (`way` 1) or lowest (-1) price on the way from `open` to `close`: the
  /// extreme of a Brownian bridge.
  private static double bridge(double open, double close, double reach, double uniform, int way) {
    double move = close - open;
    double span = Math.sqrt(move * move - 2 * reach * reach * StrictMath.log(uniform));
    return (open + close + way * span) / 2;
  }

  private void publish(
      int row, PriceBand band, double open, double high, double low, double close, double lots) {
    columns[OPEN][row] = (float) open;
    columns[HIGH][row] = (float) high;
    columns[LOW][row] = (float) low;
    columns[CLOSE][row] = (float) close;
    columns[VOLUME][row] = (float) (SyntheticMarket.LOT * Math.max(1, Math.rint(lots)));
    columns[VWAP][row] = (float) Math.clamp((high + low + close) / 3, low, high);
    columns[FACTOR][row] = 1;
    columns[CHANGE][row] = (float) (close / band.reference() - 1);
    columns[LIMIT_BUY][row] = band.isLimitUp(close) ? 1 : 0;
    columns[LIMIT_SELL][row] = band.isLimitDown(close) ? 1 : 0;
  }

  private void close(double published) {
    if (Double.isNaN(published)) {
      return;
    }
    if (!Double.isNaN(lastClose)) {
      // In the precision of the bars: the optimum must compute the same number.
      double dayReturn = StrictMath.log((double) (float) published / (float) lastClose);
      volatility = law.nextVolatility(instrument.volatility(), volatility, dayReturn);
    }
    lastClose = published;
  }

  /// The prices an exchange allows on one day: 10 % on either side of yesterday's last close.
  ///
  /// @param reference yesterday's last close
  private record PriceBand(double reference, double lower, double upper) {

    /// How many of the smallest price steps make one unit of price.
    static final int TICKS = 100;

    private static final double LIMIT = 0.1;

    static PriceBand around(double reference) {
      return new PriceBand(
          reference, ticks(reference * (1 - LIMIT)), ticks(reference * (1 + LIMIT)));
    }

    /// Returns `price` in whole ticks and within the band.
    double allow(double price) {
      return Math.clamp(ticks(price), lower, upper);
    }

    boolean isLimitUp(double price) {
      return price >= upper;
    }

    boolean isLimitDown(double price) {
      return price <= lower;
    }

    static double ticks(double price) {
      return Math.max(1, Math.rint(price * TICKS)) / TICKS;
    }
  }

  /// The plan of one instrument's day, drawn before its first bar; a bar number beyond the day
  /// means never.
  private record DayPlan(
      DayType type,
      double gap,
      boolean halted,
      int limitBar,
      boolean limitUp,
      int pauseFrom,
      int pauseTo,
      double missingBar) {

    static DayPlan draw(SyntheticMarket market, int instrument, int day, int bars) {
      var draws = Stream.DAY.of(market.config().seed(), instrument, day);
      // Nothing disturbs a leader: others would follow a jump of its price.
      SyntheticConfig.Incidents incidents =
          market.leads(instrument)
              ? SyntheticConfig.Incidents.NONE
              : market.config().incidents();
      DayType type = draws.chance(0.5) ? DayType.BUSY : DayType.QUIET;
      double gap = draws.normal();
      boolean halted = draws.chance(incidents.haltedDay());
      boolean limited = draws.chance(incidents.limitDay());
      int limitBar = (int) (draws.uniform() * bars);
      boolean limitUp = draws.chance(0.5);
      boolean paused = draws.chance(incidents.pause());
      int length = Math.max(1, (int) (draws.uniform(1 / 8.0, 1 / 2.0) * bars));
      int from = (int) (draws.uniform() * (bars - length)); // at least the last bar trades
      return new DayPlan(
          type,
          gap,
          halted,
          limited ? limitBar : bars,
          limitUp,
          paused ? from : bars,
          paused ? from + length : bars,
          incidents.missingBar());
    }

    boolean isPaused(int bar) {
      return bar >= pauseFrom && bar < pauseTo;
    }
  }

  /// Draws the order book at the close of each bar. The book does not predict prices: only prices
  /// and volumes follow the law.
  private static final class BookPainter {

    private static final int BID = Book.NONE.fields().size();
    private static final int ASK = BID + 1;
    private static final int VOLUMES = BID + 2;
    private static final int[] LEVELS = {1, 3, 5, 10};
    private static final double SPREAD_NOISE = 0.3;
    private static final double LEVEL_NOISE = 0.5;

    /// The usual volume of a level, as a share of the bar's usual volume.
    private static final double LEVEL_SHARE = 0.25;

    private final Book book;
    private final Instrument instrument;
    private final float[][] columns;

    BookPainter(Book book, Instrument instrument, float[][] columns) {
      this.book = book;
      this.instrument = instrument;
      this.columns = columns;
    }

    /// Fills the book's fields of `row`. A missing bar uses as many draws, so that it does not
    /// shift later ones.
    ///
    /// @param lean the logarithm of the best level's bids over its asks; 0 for one by chance
    void paint(
        int row,
        Draws draws,
        double volumeShare,
        double close,
        PriceBand band,
        boolean missing,
        double lean) {
      if (book == Book.NONE) {
        return;
      }
      double spread = close * instrument.spread() * StrictMath.exp(SPREAD_NOISE * draws.normal());
      int gap = Math.max(1, (int) Math.rint(spread * PriceBand.TICKS));
      int below = gap / 2; // an odd tick goes above the close
      double bid = band.allow(close - (double) below / PriceBand.TICKS);
      double ask = band.allow(close + (double) (gap - below) / PriceBand.TICKS);
      double usual = instrument.lots() * volumeShare * LEVEL_SHARE;
      boolean bids = !missing && !band.isLimitDown(close);
      boolean asks = !missing && !band.isLimitUp(close);
      columns[BID][row] = bids ? (float) bid : Float.NaN;
      columns[ASK][row] = asks ? (float) ask : Float.NaN;
      long bidLots = 0;
      long askLots = 0;
      int reached = 0;
      for (int i = 0; i < levels(); i++) {
        for (; reached < LEVELS[i]; reached++) {
          double noise = draws.normal();
          double other = draws.normal();
          boolean leans = lean != 0 && reached == 0;
          bidLots += lots(usual, LEVEL_NOISE * noise + (leans ? lean / 2 : 0));
          askLots += lots(usual, LEVEL_NOISE * (leans ? noise : other) - (leans ? lean / 2 : 0));
        }
        if (!missing) {
          columns[VOLUMES + 2 * i][row] = bids ? bidLots * SyntheticMarket.LOT : 0;
          columns[VOLUMES + 2 * i + 1][row] = asks ? askLots * SyntheticMarket.LOT : 0;
        }
      }
    }

    private static long lots(double usual, double logarithm) {
      return Math.max(1, Math.round(usual * StrictMath.exp(logarithm)));
    }

    /// Returns the size at the best bid; NaN without a book.
    float bids(int row) {
      return book == Book.NONE ? Float.NaN : columns[VOLUMES][row];
    }

    float asks(int row) {
      return book == Book.NONE ? Float.NaN : columns[VOLUMES + 1][row];
    }

    private int levels() {
      return book == Book.DEPTH ? LEVELS.length : 1;
    }
  }
}
