package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.DayWindow;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.OrderFolder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.order.QlibOrderGenerator;
import io.tranche.work.JobBackend;
import io.tranche.work.data.OrdersKind;
import io.tranche.work.data.StorePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "orders",
    mixinStandardHelpOptions = true,
    description = "Generate and merge parent orders.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {OrdersCommand.Generate.class, OrdersCommand.Merge.class})
public final class OrdersCommand {

  @Command(
      name = "generate",
      description = {
        "Generate orders from bars: TARGET/train, valid, test and all, one file per instrument.",
        "The native rule draws side and size for each order by itself. The rule of Qlib's gen_training_orders.py has one",
        "ratio per stock, sells only, rejects stocks with missing bars or volume, and takes none of the options below",
        "but --seed."
      })
  static final class Generate implements Callable<Integer> {

    private enum RuleName {
      NATIVE,
      QLIB
    }

    private enum Format {
      CSV("csv"),
      PARQUET("parquet"),
      PICKLE("pkl.target");

      private final String extension;

      Format(String extension) {
        this.extension = extension;
      }
    }

    /// With fewer days the shares would leave a part without a day.
    private static final int LEAST_DAYS = 3;

    private static final double TRAIN_SHARE = 0.6;
    private static final double VALID_SHARE = 0.2;

    @Parameters(
        index = "0",
        paramLabel = "SOURCE",
        description =
            "Bars with close and volume, backtest pickles, or for --rule qlib a feature store.")
    private Path source = Path.of("");

    @Option(names = "--out", paramLabel = "TARGET", description = "A new or empty folder.")
    private @Nullable Path out;

    @Parameters(index = "1", arity = "0..1", hidden = true)
    private @Nullable Path old;

    private Path target = Path.of("");

    @Mixin private InputOptions input = new InputOptions();

    @Option(
        names = "--rule",
        defaultValue = "native",
        description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private RuleName rule = RuleName.NATIVE;

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Seed of all draws (default: 1; qlib: 1234).")
    private @Nullable Integer seed;

    @Option(
        names = "--size",
        paramLabel = "X",
        description = "The median order: a share of --size-of, or money (default: 0.01).")
    private @Nullable Double size;

    @Option(
        names = "--size-of",
        paramLabel = "UNIT",
        description =
            "${COMPLETION-CANDIDATES}: the volume of the day, of the order's window, of one bar of it"
                + " on average, or money (default: window).")
    private OrderGenerator.@Nullable Unit unit;

    @Option(
        names = "--size-deviation",
        paramLabel = "X",
        description = "Deviation of the logarithm of sizes; 0 makes all equal (default: 1).")
    private @Nullable Double deviation;

    @Option(
        names = "--window",
        paramLabel = "HH:MM-HH:MM",
        description = "Times of day; give it several times for several (default: the whole day).")
    private List<String> windows = List.of();

    @Option(
        names = "--per-day",
        paramLabel = "N",
        description = "Orders per instrument, day and window (default: 1).")
    private @Nullable Integer perDay;

    @Option(
        names = "--side",
        paramLabel = "SIDE",
        description = "${COMPLETION-CANDIDATES}: both makes each order twice (default: random).")
    private OrderGenerator.@Nullable Sides sides;

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        defaultValue = "csv",
        description = "csv, parquet, or pickle, which Qlib reads too (default: ${DEFAULT-VALUE}).")
    private Format format = Format.CSV;

    @Option(
        names = "--train-until",
        paramLabel = "DATE",
        description = "Last day of training (default: 60 %% of the days; qlib: 2021-06-30).")
    private @Nullable LocalDate trainUntil;

    @Option(
        names = "--valid-until",
        paramLabel = "DATE",
        description = "Last day of validation (default: 80 %% of the days; qlib: 2021-09-30).")
    private @Nullable LocalDate validUntil;

    @Mixin private PlaceOptions place = new PlaceOptions();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      if (rule == RuleName.QLIB) {
        rejectNativeOptions();
        if (!place.isLocal()) {
          throw new ConfigException(
              "--on", "local for --rule qlib, whose draws follow each other", "a cluster");
        }
      }
      target = Arguments.target(this.out, old, console);
      List<DayOrder> orders;
      OrderSplit given = givenSplit();
      OrderSplit split;
      if (rule == RuleName.QLIB) {
        split = given == null ? OrderSplit.QLIB : given;
        orders = qlibOrders();
      } else {
        try (BarSource bars = input.open(source)) {
          split = given == null ? usualSplit(bars.calendar()) : given;
          orders = generated(bars, generator());
        }
      }
      if (orders.isEmpty()) {
        throw new DataException(source.toString(), needed(), "none");
      }
      OrderFolder.write(orders, split, format.extension, target);
      var out = console.out();
      for (OrderSplit.Tag tag : OrderSplit.Tag.values()) {
        out.printf(
            "%s: %d orders%n",
            target.resolve(tag.name().toLowerCase(Locale.ROOT)), split.part(orders, tag).size());
      }
      return ExitCode.OK;
    }

    /// Takes the folder that Qlib's gen_pickle_data.py writes, or a feature store in its place.
    private List<DayOrder> qlibOrders() {
      QlibOrderGenerator generator =
          QlibOrderGenerator.DEFAULT.withSeed(seed == null ? 1234 : seed);
      if (FeatureStore.isThere(source)) {
        FeatureStore store = FeatureStore.open(source);
        List<String> stocks =
            Stream.concat(store.instruments().stream(), store.dropped().stream()).toList();
        return generator.generate(stocks, store::prices);
      }
      for (Path folder : List.of(source.resolve("backtest"), source)) {
        if (QlibOrderGenerator.isPickles(folder)) {
          return generator.generate(folder);
        }
      }
      try (BarSource bars = input.open(source)) {
        return generator.generate(bars);
      }
    }

    private OrderGenerator generator() {
      OrderGenerator usual = OrderGenerator.DEFAULT;
      try {
        return new OrderGenerator(
            seed == null ? usual.seed() : seed,
            size == null ? usual.size() : size,
            unit == null ? usual.unit() : unit,
            deviation == null ? usual.deviation() : deviation,
            windows.stream().map(DayWindow::parse).toList(),
            perDay == null ? usual.perDay() : perDay,
            sides == null ? usual.sides() : sides);
      } catch (IllegalArgumentException e) {
        throw new ConfigException("orders generate", "options that go together", e.getMessage());
      }
    }

    private void rejectNativeOptions() {
      if (size != null
          || unit != null
          || deviation != null
          || !windows.isEmpty()
          || perDay != null
          || sides != null) {
        throw new ConfigException(
            "--rule", "native for sizes, windows, sides and numbers of orders", "qlib");
      }
    }

    private List<DayOrder> generated(BarSource bars, OrderGenerator generator) {
      if (place.isLocal()) {
        return generator.generate(bars);
      }
      var store = new StorePlace(source, bars.calendar().frequency());
      try (JobBackend backend = place.open(1, List.of(), console.err())) {
        return OrdersKind.generate(backend, store, bars.instruments(), generator);
      }
    }

    /// Returns what an order needs.
    private String needed() {
      return switch (rule) {
        case NATIVE -> "a day with a price and volume";
        case QLIB -> "a stock with a price and volume in each of its bars";
      };
    }

    /// Returns the split by the dates given, or null if there are none.
    private @Nullable OrderSplit givenSplit() {
      LocalDate train = trainUntil;
      LocalDate valid = validUntil;
      if (train == null && valid == null) {
        return null;
      }
      if (train == null || valid == null) {
        throw new ConfigException("--train-until and --valid-until", "both or neither", "one");
      }
      if (valid.isBefore(train)) {
        throw new ConfigException("--valid-until", "a date not before " + train, valid);
      }
      return new OrderSplit(train, valid);
    }

    private OrderSplit usualSplit(Calendar calendar) {
      if (calendar.days() < LEAST_DAYS) {
        throw new DataException(
            source.toString(),
            "at least %d days to split, or --train-until and --valid-until".formatted(LEAST_DAYS),
            calendar.days());
      }
      return OrderSplit.byShares(calendar, TRAIN_SHARE, VALID_SHARE);
    }
  }

  @Command(
      name = "merge",
      description = {
        "Merge all order files of a folder into one, as Qlib's merge_orders.py intends.",
        "Reads and writes pickle, CSV and Parquet. Without the column $close0."
      })
  static final class Merge implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "FOLDER", description = "Order files of one split.")
    private Path folder = Path.of("");

    @Option(
        names = "--out",
        paramLabel = "TARGET",
        description = "NAME.csv, NAME.parquet or NAME.pkl.")
    private @Nullable Path out;

    @Parameters(index = "1", arity = "0..1", hidden = true)
    private @Nullable Path old;

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      Path target = Arguments.target(out, old, console);
      Table merged = OrderFiles.merge(folder);
      try {
        OrderFiles.write(merged, target);
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      }
      console.out().printf("%s: %d orders%n", target, merged.rows());
      return ExitCode.OK;
    }
  }
}
