package io.tranche.market.order;

import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.pickle.HandlerPickle;
import io.tranche.market.pickle.PickleFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Orders by the rule of Qlib's `gen_training_orders.py`: a shuffled list of stocks, one random
/// ratio per stock for all its days, always a sell.
///
/// Use [OrderGenerator] for sound orders. Qlib's script fails with an IndexError as shipped; this
/// class does what the script intends.
///
/// @param seed of numpy's generator, an unsigned 32-bit number
/// @param firstBar the first bar of the day that is measured
/// @param endBar the bar after the last one measured; every day must have as many
/// @param maxStocks how many stocks are accepted at most; the rest is left out
public record QlibOrderGenerator(int seed, int firstBar, int endBar, int maxStocks) {

  /// Qlib's numbers.
  public static final QlibOrderGenerator DEFAULT = new QlibOrderGenerator(1234, 0, 47, 100);

  private static final String PICKLE = ".pkl";
  private static final double LOG_MEAN = -3.28;
  private static final double LOG_DEVIATION = 1.14;
  private static final double LEAST_VOLUME = 1e-5;

  public QlibOrderGenerator {
    if (firstBar < 0 || endBar <= firstBar || maxStocks <= 0) {
      throw new IllegalArgumentException(
          "bars must be a range and maxStocks positive, was %d..%d and %d"
              .formatted(firstBar, endBar, maxStocks));
    }
  }

  public QlibOrderGenerator withSeed(int newSeed) {
    return new QlibOrderGenerator(newSeed, firstBar, endBar, maxStocks);
  }

  /// Generates from the fields `close` and `volume` of all instruments.
  ///
  /// @throws DataException if a day of an accepted stock is shorter than the bars measured
  public List<DayOrder> generate(BarSource source) {
    return draw(source.instruments(), stock -> DayBars.of(source.series(stock)));
  }

  /// Generates from backtest frames with the columns `datetime`, `$close0` and `$volume0`.
  ///
  /// @throws DataException if a frame lacks a column, or a day of an accepted stock is shorter than
  ///   the bars measured
  public List<DayOrder> generate(List<String> stocks, Function<String, Table> frames) {
    return draw(stocks, stock -> bars(stock, frames.apply(stock)));
  }

  /// Whether a folder has the backtest files of Qlib's `gen_pickle_data.py`.
  public static boolean isPickles(Path folder) {
    return !pickles(folder).isEmpty();
  }

  /// Generates from the folder `backtest` of `gen_pickle_data.py`, untouched. As in Qlib's script
  /// the stocks are the files, those of stocks that its filter dropped included, which get no
  /// orders. `tmp_dataset.pkl`, which `gen_pickle_data.py` leaves there, is no stock; Qlib's script
  /// fails at it.
  public List<DayOrder> generate(Path folder) {
    List<String> stocks =
        pickles(folder).stream()
            .map(file -> file.getFileName().toString().replace(PICKLE, ""))
            .toList();
    return generate(stocks, stock -> HandlerPickle.read(folder.resolve(stock + PICKLE)).frame());
  }

  private static List<Path> pickles(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(PICKLE))
          .filter(file -> !file.getFileName().toString().equals(PickleFormat.LEFTOVER))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new DataException(folder.toString(), "a readable folder", e, e);
    }
  }

  /// Generates with the stocks already shuffled and the ratios given, one for each accepted stock.
  public List<DayOrder> generate(
      List<String> shuffled, Function<String, Table> frames, DoubleSupplier ratios) {
    return run(shuffled, stock -> bars(stock, frames.apply(stock)), ratios);
  }

  private static @Nullable DayBars bars(String stock, Table frame) {
    return frame.rows() == 0 ? null : DayBars.of(stock, frame);
  }

  private List<DayOrder> draw(List<String> stocks, Function<String, @Nullable DayBars> bars) {
    var random = new NumpyRandom(seed);
    var shuffled = new ArrayList<>(stocks);
    shuffled.sort(null);
    random.shuffle(shuffled);
    return run(shuffled, bars, () -> random.lognormal(LOG_MEAN, LOG_DEVIATION));
  }

  private List<DayOrder> run(
      List<String> shuffled, Function<String, @Nullable DayBars> bars, DoubleSupplier ratios) {
    var orders = new ArrayList<DayOrder>();
    int accepted = 0;
    for (String stock : shuffled) {
      @Nullable DayBars stockBars = bars.apply(stock);
      if (stockBars == null
          || stockBars.days() == 0
          || stockBars.hasHoleOrVolumeBelow(LEAST_VOLUME)) {
        continue;
      }
      addOrders(stock, stockBars, ratios.getAsDouble(), orders);
      if (++accepted == maxStocks) {
        break;
      }
    }
    return orders;
  }

  private void addOrders(String stock, DayBars bars, double ratio, List<DayOrder> orders) {
    for (int day = 0; day < bars.days(); day++) {
      if (bars.bars(day) < endBar) {
        throw new DataException(
            "%s, %s".formatted(bars.where(), bars.date(day)),
            "at least %d bars per day".formatted(endBar),
            bars.bars(day));
      }
      double amount = bars.times(ratio, bars.meanVolume(day, firstBar, endBar));
      if (amount > 0) {
        double close = bars.meanClose(day, firstBar, endBar);
        orders.add(new DayOrder(bars.date(day), stock, Side.SELL, amount, close));
      }
    }
  }
}
