package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Progress;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.feature.pipeline.GroupStatistics;
import io.tranche.market.feature.pipeline.QlibFeatureConfig;
import io.tranche.market.feature.pipeline.RawFeatures;
import io.tranche.market.store.QlibStore;
import io.tranche.work.JobBackend;
import io.tranche.work.data.FeaturesKind;
import io.tranche.work.data.StorePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "features",
    mixinStandardHelpOptions = true,
    description = {
      "Make normalised features and backtest columns from bars (docs/features.md).",
      "CONFIG is a native configuration, or Qlib's pickle_data_config.yml, unchanged. A run that was killed continues",
      "where it stopped; TARGET appears when it is complete."
    })
final class DataFeaturesCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "CONFIG",
      description = "Which features to make from which bars.")
  private Path config = Path.of("");

  @Parameters(index = "1", paramLabel = "TARGET", description = "The feature store to make.")
  private Path target = Path.of("");

  @Option(
      names = "--source",
      paramLabel = "PATH",
      description = "The bars; needed unless CONFIG is Qlib's, which names its store.")
  private @Nullable Path source;

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
    ConfigNode node = ConfigFiles.load(config);
    if (QlibFeatureConfig.isQlib(node)) {
      QlibFeatureConfig qlib = QlibFeatureConfig.from(node);
      try (BarSource bars =
          source == null ? QlibStore.open(qlib.store(), qlib.frequency()) : input.open(source)) {
        return make(bars, source == null ? qlib.store() : source, qlib.features());
      }
    }
    FeatureConfig features = FeatureConfig.from(node);
    if (source == null) {
      throw new ConfigException("--source", "the bars to make features of", "missing");
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
      return make(bars, features, FeaturesKind.on(backend, store, features));
    }
  }

  private int make(BarSource bars, FeatureConfig features, RawFeatures.Elsewhere elsewhere) {
    FeatureStore store;
    try (var progress = new Progress(console.err(), "features")) {
      store =
          FeaturePipeline.run(
              bars,
              features,
              target,
              threads,
              elsewhere,
              (stage, done, total) -> progress.update(done, total, stage));
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
    return ExitCode.OK;
  }
}
