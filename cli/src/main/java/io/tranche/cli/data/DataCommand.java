package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.JsonOption;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.StagedFolder;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.check.CheckOptions;
import io.tranche.market.check.CheckReport;
import io.tranche.market.check.DataCheck;
import io.tranche.market.check.Finding;
import io.tranche.market.check.Rule;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePickles;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.feature.pipeline.GroupStatistics;
import io.tranche.market.feature.pipeline.QlibFeatureConfig;
import io.tranche.market.feature.pipeline.RawFeatures;
import io.tranche.market.session.SessionBars;
import io.tranche.market.store.QlibStore;
import io.tranche.market.synthetic.Book;
import io.tranche.market.synthetic.Law;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.work.JobBackend;
import io.tranche.work.data.FeaturesKind;
import io.tranche.work.data.StorePlace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "data",
    mixinStandardHelpOptions = true,
    description = "Check, convert, generate and prepare market data.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {
      DataCommand.Check.class,
      DataCommand.Convert.class,
      DataCommand.Features.class,
      DataCommand.Generate.class,
      VolumeCommand.class
    })
public final class DataCommand {

  /// Writes bars, says how many, and returns how many numbers were rounded.
  private static long write(BarSource bars, Path target, String what, Console console) {
    BarFiles.Conversion done;
    try (BarWriter writer = BarFiles.create(target);
        var progress = console.progress(what)) {
      done = BarFiles.convert(bars, writer, (at, all) -> progress.update(at, all, null));
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    console.out().printf("%s: %d instruments, %d bars%n", target, done.instruments(), done.bars());
    return done.rounded();
  }

  @Command(
      name = "check",
      description = {
        "Report what is wrong with an input: file, place, instrument, time, rule, value.",
        "Reads Qlib .bin stores, CSV, Parquet and pickles of bars or orders. Writes nothing.",
        "Exit code 3 if there are errors; warnings alone give 0."
      })
  static final class Check implements Callable<Integer> {

    @Parameters(paramLabel = "PATH", description = "A store, a file or a folder of files.")
    private Path path = Path.of("");

    @Mixin private InputOptions input = new InputOptions();

    @Option(
        names = "--most",
        paramLabel = "N",
        defaultValue = "20",
        description = "Number of findings listed per rule (default: ${DEFAULT-VALUE}).")
    private int most;

    @Option(
        names = "--long-run",
        paramLabel = "N",
        defaultValue = "5",
        description = "Report runs of at least N missing bars (default: ${DEFAULT-VALUE}).")
    private int longRun;

    @Mixin private JsonOption json = new JsonOption();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      PrintWriter out = console.out();
      CheckReport report =
          DataCheck.check(
              path,
              new CheckOptions(
                  input.mapping(),
                  Arguments.atLeast("--most", 1, most),
                  Arguments.atLeast("--long-run", 1, longRun)));
      if (json.isWanted()) {
        print(report);
        return report.hasErrors() ? ExitCode.DATA : ExitCode.OK;
      }
      for (Finding finding : report.findings()) {
        out.println(finding.rule().severity().name().toLowerCase(Locale.ROOT) + ": " + finding);
      }
      long errors = 0;
      long warnings = 0;
      for (Rule rule : Rule.values()) {
        if (report.omitted(rule) > 0) {
          out.printf("%d more: expected %s%n", report.omitted(rule), rule.text());
        }
        if (rule.severity() == Rule.Severity.ERROR) {
          errors += report.count(rule);
        } else {
          warnings += report.count(rule);
        }
      }
      out.printf("%s: %d errors, %d warnings%n", path, errors, warnings);
      return report.hasErrors() ? ExitCode.DATA : ExitCode.OK;
    }

    private void print(CheckReport report) {
      var findings = new ArrayList<Map<String, @Nullable Object>>();
      for (Finding finding : report.findings()) {
        var one = new LinkedHashMap<String, @Nullable Object>();
        one.put("rule", finding.rule().name());
        one.put("severity", finding.rule().severity().name().toLowerCase(Locale.ROOT));
        one.put("file", finding.file());
        one.put("place", finding.place());
        one.put("instrument", finding.instrument());
        one.put("time", finding.time());
        one.put("expected", finding.rule().text());
        one.put("found", finding.value());
        findings.add(one);
      }
      var counts = new LinkedHashMap<String, Long>();
      for (Rule rule : Rule.values()) {
        if (report.count(rule) > 0) {
          counts.put(rule.name(), report.count(rule));
        }
      }
      JsonOption.print(Map.of("counts", counts, "findings", findings), console);
    }
  }

  @Command(
      name = "convert",
      description = {
        "Convert bars from any readable format to any writable one.",
        "Reads Qlib .bin stores, CSV, Parquet and pickles; writes .csv, .parquet, or a .bin store where TARGET has",
        "no extension. TARGET appears when it is complete."
      })
  static final class Convert implements Callable<Integer> {

    @Parameters(
        index = "0",
        paramLabel = "SOURCE",
        description =
            "A store, a file or a folder of files; with --on a Parquet table that the cluster reads,"
                + " such as hdfs://HOST/bars, iceberg:LOCATION, or table:NAME of its catalog.")
    private String source = "";

    @Option(
        names = "--out",
        paramLabel = "TARGET",
        description = "NAME.csv, NAME.parquet, or a folder for a store.")
    private @Nullable Path out;

    @Parameters(index = "1", arity = "0..1", hidden = true)
    private @Nullable Path old;

    private Path target = Path.of("");

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private PlaceOptions place = new PlaceOptions();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      target = Arguments.target(out, old, console);
      if (place.isLocal()) {
        ColumnMapping mapping = input.mapping();
        return convert(BarFiles.openCounting(Path.of(source), mapping), mapping);
      }
      try (JobBackend backend = place.open(1, List.of(), console.err())) {
        ColumnMapping mapping = input.mapping();
        return convert(backend.bars(source, mapping), mapping);
      }
    }

    private int convert(BarSource raw, ColumnMapping mapping) {
      try (BarSource opened = BarFiles.inSessions(source, raw, mapping)) {
        if (opened instanceof SessionBars sessions) {
          sessions.notes().forEach(console::note);
        }
        long rounded = write(opened, target, "converting", console);
        if (rounded > 0) {
          console
              .out()
              .printf(
                  "%d numbers were rounded to single precision, the precision of frames and stores%n",
                  rounded);
        }
        return ExitCode.OK;
      }
    }
  }

  @Command(
      name = "features",
      description = {
        "Make normalised features and backtest columns from bars (docs/features.md).",
        "CONFIG is a native configuration, or Qlib's pickle_data_config.yml, unchanged. A run that was killed continues",
        "where it stopped; TARGET appears when it is complete. Qlib's configurations read a store here; with --format",
        "pickle the files are those of Qlib's gen_pickle_data.py, which Qlib reads too.",
        "Exit code 5 if instruments, days or bars were left out; each reason is printed."
      })
  static final class Features implements Callable<Integer> {

    @Parameters(
        index = "0",
        paramLabel = "CONFIG",
        description = "Which features to make from which bars.")
    private Path config = Path.of("");

    @Option(names = "--out", paramLabel = "TARGET", description = "The feature store to make.")
    private @Nullable Path out;

    @Parameters(index = "1", arity = "0..1", hidden = true)
    private @Nullable Path old;

    private Path target = Path.of("");

    @Option(
        names = {"--bars", "--source"},
        paramLabel = "PATH",
        description = "The bars; needed unless CONFIG is Qlib's, which names its store.")
    private @Nullable Path source;

    private enum Format {
      STORE,
      PICKLE
    }

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        defaultValue = "store",
        description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.STORE;

    @Mixin private InputOptions input = new InputOptions();

    @Option(
        names = "--threads",
        paramLabel = "N",
        description = "Number of instruments at a time (default: the number of cores).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin private PlaceOptions place = new PlaceOptions();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      Arguments.atLeast("--threads", 1, threads);
      target = Arguments.target(out, old, console);
      ConfigNode node = ConfigFiles.load(config);
      if (QlibFeatureConfig.isQlib(node)) {
        QlibFeatureConfig qlib = QlibFeatureConfig.from(node, source);
        try (BarSource bars =
            source == null
                ? QlibStore.open(qlib.store(), qlib.frequency())
                : BarFiles.open(source, input.mapping())) {
          return make(bars, source == null ? qlib.store() : source, qlib.features());
        }
      }
      FeatureConfig features = FeatureConfig.from(node);
      if (source == null) {
        throw new ConfigException("--bars", "the bars to make features of", "missing");
      }
      try (BarSource bars = input.open(source)) {
        return make(bars, source, features);
      }
    }

    private int make(BarSource bars, Path path, FeatureConfig features) {
      if (place.isLocal()) {
        return make(bars, features, (_, _) -> {});
      }
      var store = new StorePlace(path, bars.calendar().frequency());
      try (JobBackend backend = place.open(threads, List.of(), console.err())) {
        return make(
            bars, features, FeaturesKind.on(backend, store, input.mapping().reading(), features));
      }
    }

    private int make(BarSource bars, FeatureConfig features, RawFeatures.Elsewhere elsewhere) {
      boolean pickles = format == Format.PICKLE;
      Path made = pickles ? target.resolveSibling(target.getFileName() + ".store") : target;
      FeatureStore store;
      try (var progress = console.progress("features")) {
        FeatureProgress shown = (stage, done, total) -> progress.update(done, total, stage);
        if (pickles) {
          FeaturePickles.requireFree(target);
        }
        store = FeaturePipeline.run(bars, features, made, threads, elsewhere, shown);
        if (pickles) {
          FeaturePickles.write(store, target, shown);
        }
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      }
      var out = console.out();
      out.printf(
          "%s: %d instruments, %d columns, %d days%n",
          target,
          store.instruments().size(),
          store.featureExpressions().size(),
          store.calendar().days());
      for (GroupStatistics group : store.statistics()) {
        out.printf("%s: mean %s, deviation %s%n", group.name(), group.mean(), group.deviation());
      }
      boolean isWhole = store.notes().isEmpty();
      if (bars instanceof SessionBars sessions) {
        sessions.notes().forEach(console::note);
        isWhole &= sessions.setAside().isEmpty();
      }
      if (!store.dropped().isEmpty()) {
        int all = store.instruments().size() + store.dropped().size();
        out.printf("%d of %d instruments are dropped%n", store.dropped().size(), all);
      }
      store.notes().forEach(out::println);
      if (pickles) {
        delete(made);
      }
      return isWhole ? ExitCode.OK : ExitCode.LEFT_OUT;
    }
  }

  private static void delete(Path folder) {
    try {
      StagedFolder.delete(folder);
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  @Command(
      name = "generate",
      description = {
        "Generate bars of the embedded market (docs/embedded-market.md), one instrument at a time.",
        "Writes .csv, .parquet, or a .bin store where TARGET has no extension."
      })
  static final class Generate implements Callable<Integer> {

    @Option(
        names = "--out",
        paramLabel = "TARGET",
        description = "NAME.csv, NAME.parquet, or a folder for a store.")
    private @Nullable Path out;

    @Parameters(index = "0", arity = "0..1", hidden = true)
    private @Nullable Path old;

    @Mixin private InputOptions.BarShape shape = new InputOptions.BarShape();

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = "Of all draws (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
        names = "--instruments",
        paramLabel = "N",
        defaultValue = "60",
        description = "How many (default: ${DEFAULT-VALUE}).")
    private int instruments;

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "150",
        description = "How many trading days (default: ${DEFAULT-VALUE}).")
    private int days;

    @Option(
        names = "--law",
        paramLabel = "NAME",
        defaultValue = "pulse",
        description =
            "What there is to learn: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Law law = Law.PULSE;

    @Option(
        names = "--signal",
        paramLabel = "S",
        defaultValue = "1",
        description =
            "How much there is to learn, from 0 (nothing) to 1.5 (default: ${DEFAULT-VALUE}).")
    private double signal;

    @Option(
        names = "--book",
        defaultValue = "none",
        description = "${COMPLETION-CANDIDATES}: quotes, or depth too (default: ${DEFAULT-VALUE}).")
    private Book book = Book.NONE;

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      ColumnMapping wanted = shape.applyTo(ColumnMapping.DEFAULT);
      SyntheticConfig usual = SyntheticConfig.DEFAULT;
      var market =
          new SyntheticMarket(
              usual
                  .withSeed(seed)
                  .withSize(instruments, days)
                  .withBars(
                      wanted.session() == null ? usual.session() : wanted.session(),
                      wanted.frequency() == null ? usual.frequency() : wanted.frequency())
                  .withLaw(law)
                  .withSignal(signal)
                  .withBook(book));
      write(market, Arguments.target(out, old, console), "generating", console);
      return ExitCode.OK;
    }
  }
}
