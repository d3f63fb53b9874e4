package io.tranche.market.pickle;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.Table;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prices and volumes of one stock and day from a pickle-styled file. Qlib:
/// `SimpleIntradayBacktestData`.
public final class BacktestPrices {

  /// The price at which an order is filled.
  public enum DealPrice {
    /// `$close0`.
    CLOSE,
    /// `$bid0` for a sell, `$ask0` for a buy.
    BID_OR_ASK,
    /// The same, or the other side's price if it is zero or missing.
    BID_OR_ASK_FILL;

    /// @throws ConfigException if `name` is none of Qlib's three
    public static DealPrice parse(String name) {
      return switch (name) {
        case "close" -> CLOSE;
        case "bid_or_ask" -> BID_OR_ASK;
        case "bid_or_ask_fill" -> BID_OR_ASK_FILL;
        default ->
            throw new ConfigException(
                "deal_price", "one of close, bid_or_ask, bid_or_ask_fill", name);
      };
    }
  }

  private final String where;
  private final Table frame;
  private final int[] rows;

  private BacktestPrices(String where, Table frame, int[] rows) {
    this.where = where;
    this.frame = frame;
    this.rows = rows;
  }

  /// Reads the stock's file in `folder`.
  ///
  /// @throws DataException if it is missing, damaged or has no such day
  public static BacktestPrices read(Path folder, String stock, LocalDate date) {
    Path file = PickleStyledFiles.find(folder, stock);
    return of(file.toString(), new PickleFormat().read(file, List.of()), stock, date);
  }

  /// Takes the day from a frame with the columns instrument, datetime, date and the prices.
  public static BacktestPrices of(String where, Table frame, String stock, LocalDate date) {
    return new BacktestPrices(where, frame, PickleStyledFiles.rows(where, frame, stock, date));
  }

  public int ticks() {
    return rows.length;
  }

  /// Returns the [io.tranche.market.BarTime] of `tick`.
  public long time(int tick) {
    return PickleStyledFiles.time(where, frame, "datetime", rows[tick]);
  }

  public double[] volumes() {
    return numbers("$volume0");
  }

  /// @param side needed for all but the close
  /// @throws ConfigException if the side is needed and missing
  public double[] dealPrices(DealPrice type, @Nullable Side side) {
    if (type == DealPrice.CLOSE) {
      return numbers("$close0");
    }
    if (side == null) {
      throw new ConfigException("order_dir", "a side for the price at bid or ask", "none");
    }
    double[] prices = numbers(side == Side.SELL ? "$bid0" : "$ask0");
    if (type == DealPrice.BID_OR_ASK_FILL) {
      double[] others = numbers(side == Side.SELL ? "$ask0" : "$bid0");
      for (int i = 0; i < prices.length; i++) {
        prices[i] = prices[i] == 0 || Double.isNaN(prices[i]) ? others[i] : prices[i];
      }
    }
    return prices;
  }

  private double[] numbers(String column) {
    return PickleStyledFiles.numbers(where, frame, column, rows);
  }
}
