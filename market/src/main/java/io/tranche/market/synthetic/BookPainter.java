package io.tranche.market.synthetic;

/// Draws the order book that stands at the close of each bar. It tells nothing about what comes:
/// the law is in prices and volumes.
final class BookPainter {

  private static final int BID = Book.NONE.fields().size();
  private static final int ASK = BID + 1;
  private static final int VOLUMES = BID + 2;
  private static final int[] LEVELS = {1, 3, 5, 10};

  private final Book book;
  private final Instrument instrument;
  private final float[][] columns;

  BookPainter(Book book, Instrument instrument, float[][] columns) {
    this.book = book;
    this.instrument = instrument;
    this.columns = columns;
  }

  /// Fills the book's fields of `row`. Draws as much for a missing bar, so that none shifts the
  /// rest.
  void paint(
      int row, Draws draws, double volumeShare, double close, PriceBand band, boolean missing) {
    if (book == Book.NONE) {
      return;
    }
    double spread = close * instrument.spread() * StrictMath.exp(0.3 * draws.normal());
    long cents = Math.round(close * PriceBand.TICKS);
    long gap = Math.max(1, Math.round(spread * PriceBand.TICKS));
    long below = gap / 2; // an odd tick goes above the close
    double level = instrument.lots() * volumeShare / 4;
    long[] volume = new long[2];
    for (int side = 0; side < 2; side++) {
      long price = side == 0 ? cents - below : cents + gap - below;
      boolean empty = side == 0 ? band.isLimitDown(close) : band.isLimitUp(close);
      if (!missing && !empty) {
        columns[side == 0 ? BID : ASK][row] = (float) ((double) price / PriceBand.TICKS);
      }
      int reached = 0;
      for (int i = 0; i < levels(); i++) {
        for (; reached < LEVELS[i]; reached++) {
          volume[side] += Math.max(1, Math.round(level * StrictMath.exp(0.5 * draws.normal())));
        }
        if (!missing) {
          columns[VOLUMES + 2 * i + side][row] =
              empty ? 0 : (float) (volume[side] * SyntheticMarket.LOT);
        }
      }
    }
  }

  private int levels() {
    return book == Book.DEPTH ? LEVELS.length : 1;
  }
}
