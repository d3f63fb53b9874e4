package io.tranche.market.synthetic;

import io.tranche.market.random.Draws;

/// Draws the order book at the close of each bar. The book does not predict prices: only prices and
/// volumes follow the law.
final class BookPainter {

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

  /// Fills the book's fields of `row`. A missing bar uses as many draws, so that it does not shift
  /// later ones.
  void paint(
      int row, Draws draws, double volumeShare, double close, PriceBand band, boolean missing) {
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
        bidLots += lots(usual, draws);
        askLots += lots(usual, draws);
      }
      if (!missing) {
        columns[VOLUMES + 2 * i][row] = bids ? bidLots * SyntheticMarket.LOT : 0;
        columns[VOLUMES + 2 * i + 1][row] = asks ? askLots * SyntheticMarket.LOT : 0;
      }
    }
  }

  private static long lots(double usual, Draws draws) {
    return Math.max(1, Math.round(usual * StrictMath.exp(LEVEL_NOISE * draws.normal())));
  }

  private int levels() {
    return book == Book.DEPTH ? LEVELS.length : 1;
  }
}
