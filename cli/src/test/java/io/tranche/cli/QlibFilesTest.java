package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.order.OrderFiles;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `feature_root_dir`, `data_dir`, `order_dir` and `order_file` of Qlib's files, pointed with
/// `--set` at every form that they accept: training and backtests give the same bytes.
class QlibFilesTest {

  private static final Path CONFIGS = Shared.root().resolve("examples/qlib-run/exp_configs");
  private static final String PROVIDER =
      "state_interpreter.kwargs.processed_data_provider.kwargs.data_dir=";

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path store;
  private static List<String> trained;
  private static List<String> backtested;

  @BeforeAll
  static void makeEverythingAsOurOwnStore() throws IOException {
    Path bars = shared.resolve("bin");
    store = shared.resolve("features in a store");
    String features = CONFIGS.resolve("pickle_data_config.yml").toString();
    run("data", "generate", bars, "--frequency", "5min", "--instruments", "3", "--days", "34");
    run("data", "features", features, store, "--bars", bars);
    run("data", "features", features, shared.resolve("pickle"), "--bars", bars, "--format=pickle");
    for (String format : List.of("csv", "parquet", "pickle")) {
      Path orders = shared.resolve("orders in " + format);
      run(
          "orders",
          "generate",
          format.equals("pickle") ? shared.resolve("pickle") : store,
          orders,
          "--rule=qlib",
          "--train-until=2024-01-31",
          "--valid-until=2024-02-06",
          "--format=" + format);
    }
    trained = train(store, shared.resolve("orders in csv"), shared.resolve("run"));
    backtested = backtest(store, shared.resolve("orders in csv/test"), shared.resolve("backtest"));
    assertThat(trained).hasSizeGreaterThan(3);
    assertThat(backtested).hasSameSizeAs(trained);
  }

  @ParameterizedTest
  @CsvSource({"pkl, pickle", "csv, csv", "parquet, parquet"})
  void everyFormGivesTheSameRun(String features, String orders) throws IOException {
    Path root = features.equals("pkl") ? shared.resolve("pickle") : converted(features);
    Path orderFolder = shared.resolve("orders in " + orders);

    assertThat(train(root, orderFolder, folder.resolve("run"))).isEqualTo(trained);
    for (String file :
        List.of("train_result.csv", "validation_result.csv", "checkpoints/latest.pth")) {
      assertThat(folder.resolve("run").resolve(file))
          .hasSameBinaryContentAs(shared.resolve("run").resolve(file));
    }

    Path merged = folder.resolve("test_orders." + features);
    run("orders", "merge", orderFolder.resolve("test"), merged);
    assertThat(backtest(root, merged, folder.resolve("a"))).isEqualTo(backtested);
    // The file that Qlib's configuration names may be there in this form only.
    Path named = folder.resolve("test_orders.pkl");
    assertThat(backtest(root, named, folder.resolve("b"))).isEqualTo(backtested);
  }

  /// Writes the pickles as tables of another format.
  private Path converted(String format) throws IOException {
    Path root = folder.resolve("features in " + format);
    for (String part : List.of("feature", "backtest")) {
      Files.createDirectories(root.resolve(part));
      try (Stream<Path> files = Files.list(shared.resolve("pickle").resolve(part))) {
        for (Path file : files.toList()) {
          Table table = TableFormat.of(file).readSingles(file, List.of());
          String name = file.getFileName().toString().replace(".pkl", "." + format);
          OrderFiles.write(table, root.resolve(part).resolve(name));
        }
      }
    }
    return root;
  }

  private static List<String> train(Path features, Path orders, Path target) throws IOException {
    run(
        "train",
        "--config_path",
        CONFIGS.resolve("train_opds.yml"),
        "--run_backtest",
        "--set=data.source.order_dir=" + orders,
        "--set=data.source.feature_root_dir=" + features,
        "--set=" + PROVIDER + features,
        "--set=trainer.checkpoint_path=" + target);
    return Files.readAllLines(target.resolve("result.csv"));
  }

  private static List<String> backtest(Path features, Path orders, Path target) throws IOException {
    run(
        "backtest",
        "--config_path",
        CONFIGS.resolve("backtest_opds.yml"),
        "--set=order_file=" + orders,
        "--set=qlib.provider_uri_5min=" + shared.resolve("bin"),
        "--set=strategies.1day.kwargs." + PROVIDER + features,
        "--set=strategies.1day.kwargs.policy.kwargs.weight_file="
            + shared.resolve("run/checkpoints/latest.pth"),
        "--out",
        target);
    return Files.readAllLines(target.resolve("backtest_result.csv"));
  }

  private static void run(Object... arguments) {
    var texts = new ArrayList<String>();
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    Run run = Run.of(texts.toArray(String[]::new));
    assertThat(run.status()).as("%s%n%s", texts, run.err()).isZero();
    assertThat(run.err()).doesNotContain("warning: ");
  }
}
