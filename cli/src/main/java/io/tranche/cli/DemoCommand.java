package io.tranche.cli;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSeries;
import io.tranche.market.BarWriter;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.StagedFolder;
import io.tranche.market.feature.FeatureConfig;
import io.tranche.market.feature.FeaturePipeline;
import io.tranche.market.feature.FeatureStore;
import io.tranche.market.feature.GroupStatistics.Deviation;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderFolder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.Prospect;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.Summary;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Generate the embedded market, make features and orders, and say what there is to win.",
      "Needs no download, no account and no file. Writes OUT/data (a Qlib store), OUT/features, OUT/orders and",
      "OUT/market.svg."
    })
final class DemoCommand implements Callable<Integer> {

  /// What marks a folder as a demo's, so that the next one may replace it.
  private static final String MARK = "demo.yml";

  private static final int STEP_SECONDS = 30 * 60;
  private static final double NORMAL_95 = 1.96;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the market and the orders (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "OUT",
      defaultValue = "runs/demo",
      description =
          "A new or empty folder; an earlier demo is replaced (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("runs/demo");

  @Option(
      names = "--signal",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "How much there is to learn, from 0 (nothing) to 1.5 (default: ${DEFAULT-VALUE}).")
  private double signal;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    requireFree();
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSeed(seed).withSignal(signal));
    try (StagedFolder staged = StagedFolder.create(out)) {
      Path folder = staged.folder();
      writeBars(market, folder.resolve("data"));
      makeFeatures(market, folder.resolve("features"));
      OrderSplit split = split(market);
      List<DayOrder> orders = OrderGenerator.DEFAULT.withSeed(seed).generate(market);
      OrderFolder.write(orders, split, "csv", folder.resolve("orders"));
      var benchmarks = new Benchmarks(market, market.wholeDay(STEP_SECONDS));
      Files.writeString(folder.resolve("market.svg"), DemoPicture.of(market, benchmarks));
      Files.writeString(folder.resolve(MARK), "seed: %d%nsignal: %s%n".formatted(seed, signal));
      staged.commit();
      report(market, split, orders, benchmarks.prospects());
    } catch (IOException e) {
      throw DataException.unwritable(out, e);
    }
    return ExitCode.OK;
  }

  private void requireFree() {
    String[] entries = out.toFile().list();
    if (Files.exists(out)
        && !Files.exists(out.resolve(MARK))
        && (entries == null || entries.length > 0)) {
      throw new ConfigException("--out", "a new or empty folder, or an earlier demo", out);
    }
  }

  private void writeBars(SyntheticMarket market, Path target) throws IOException {
    try (BarWriter writer = QlibStoreWriter.create(target, QlibStoreWriter.Existing.REFUSE);
        var progress = new Progress(spec.commandLine().getErr(), "market")) {
      BarFiles.convert(market, writer, (at, all) -> progress.update(at, all, null));
    }
  }

  private void makeFeatures(SyntheticMarket market, Path target) throws IOException {
    try (var progress = new Progress(spec.commandLine().getErr(), "features")) {
      FeaturePipeline.run(
          market,
          featureConfig(market),
          target,
          Runtime.getRuntime().availableProcessors(),
          (stage, done, total) -> progress.update(done, total, stage));
    }
  }

  /// Qlib's features of all days but the two that the window needs, fitted on the training days.
  private static FeatureConfig featureConfig(SyntheticMarket market) {
    Calendar calendar = market.calendar();
    int fitEnd = calendar.dayEnd(Split.TRAIN.endDay(calendar.days()) - 1) - 1;
    long start = calendar.time(calendar.dayStart(2));
    var groups = new LinkedHashMap<String, Integer>();
    groups.put("price", 8);
    groups.put("volume", 2);
    return new FeatureConfig(
        start,
        calendar.time(calendar.size() - 1),
        start,
        calendar.time(fitEnd),
        calendar.dayEnd(0),
        List.of("$open", "$high", "$low", "$close"),
        groups,
        Deviation.STANDARD,
        false,
        List.of());
  }

  private static OrderSplit split(SyntheticMarket market) {
    int days = market.calendar().days();
    return new OrderSplit(
        market.calendar().date(Split.TRAIN.endDay(days) - 1),
        market.calendar().date(Split.VALID.endDay(days) - 1));
  }

  private void report(
      SyntheticMarket market, OrderSplit split, List<DayOrder> orders, List<Prospect> prospects) {
    PrintWriter print = spec.commandLine().getOut();
    Calendar calendar = market.calendar();
    FeatureStore features = FeatureStore.open(out.resolve("features"));
    print.printf(
        "embedded market, seed %d: %d instruments, %d days of %d bars (%s, %s)%n",
        seed,
        market.instruments().size(),
        calendar.days(),
        calendar.dayEnd(0),
        calendar.frequency(),
        market.config().session().name());
    print.printf(
        "written to %s: data (a Qlib store), features (%d columns of %d instruments), orders,"
            + " market.svg%n%n",
        out, features.featureExpressions().size(), features.instruments().size());
    print.println("What there is to win over TWAP, in basis points an order:");
    print.println(
        "split   days      bars  orders   optimum (95 %)  deviation  hindsight step  bar");
    Map<Split, Long> bars = bars(market);
    Summary test = null;
    for (Prospect prospect : prospects) {
      if (prospect.side() != null) {
        continue;
      }
      Split part = prospect.split();
      String name = part.name().toLowerCase(Locale.ROOT);
      Summary optimum = prospect.optimum();
      print.printf(
          "%-6s %5d %9d %7d  %8.1f ± %4.1f  %9.1f  %14.1f %4.0f%n",
          name,
          part.endDay(calendar.days()) - part.firstDay(calendar.days()),
          bars.getOrDefault(part, 0L),
          split.part(orders, OrderSplit.Tag.valueOf(part.name())).size(),
          optimum.mean(),
          NORMAL_95 * optimum.standardError(),
          optimum.deviation(),
          prospect.bestStep().mean(),
          prospect.bestBar().mean());
      test = optimum;
    }
    print.println();
    print.println("optimum: the best policy that knows the market's law but sees only past bars.");
    print.println("hindsight: the best step, and the best single bar, of a day already seen.");
    if (test != null) {
      print.println(verdict(test));
    }
  }

  private static String verdict(Summary test) {
    double margin = NORMAL_95 * test.standardError();
    return test.mean() - margin > 0
        ? "An agent can win up to %.1f ± %.1f bps an order over TWAP on the test days."
            .formatted(test.mean(), margin)
        : "There is nothing to learn in this market: no policy beats TWAP on the test days.";
  }

  /// Counts the bars that are there.
  private static Map<Split, Long> bars(SyntheticMarket market) {
    var counts = new LinkedHashMap<Split, Long>();
    for (String instrument : market.instruments()) {
      BarSeries series = market.series(instrument);
      for (int row = 0; row < series.size(); row++) {
        if (!series.isMissing(row)) {
          int day = series.calendar().dayOfBar(series.firstBar() + row);
          counts.merge(market.split(day), 1L, Long::sum);
        }
      }
    }
    return counts;
  }
}
