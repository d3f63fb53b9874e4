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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
    run(
        "data",
        "generate",
        "--out",
        bars,
        "--frequency",
        "5min",
        "--instruments",
        "3",
        "--days",
        "34");
    run("data", "features", features, "--out", store, "--bars", bars);
    Path pickles = shared.resolve("pickle");
    run("data", "features", features, "--out", pickles, "--bars", bars, "--format=pickle");
    for (String format : List.of("csv", "parquet", "pickle")) {
      Path orders = shared.resolve("orders in " + format);
      run(
          "orders",
          "generate",
          format.equals("pickle") ? pickles : store,
          "--out",
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
    run("orders", "merge", orderFolder.resolve("test"), "--out", merged);
    assertThat(backtest(root, merged, folder.resolve("a"))).isEqualTo(backtested);
    // The file that Qlib's configuration names may be there in this form only.
    Path named = folder.resolve("test_orders.pkl");
    assertThat(backtest(root, named, folder.resolve("b"))).isEqualTo(backtested);
  }

  @Test
  void anInterruptedRunOfQlibIsNeitherTouchedNorResumed() throws IOException {
    Path checkpoints = Files.createDirectories(folder.resolve("run/checkpoints"));
    Path weights = checkpoints.resolve("001.pth");
    Files.copy(shared.resolve("run/checkpoints/001.pth"), weights);
    byte[] before = Files.readAllBytes(weights);

    assertThat(trial().err())
        .contains("--out: expected a directory without a run, or --resume to continue it, or");
    String hint = "--set policy.kwargs.weight_file=FILE";
    assertThat(trial("--resume").err())
        .contains("--resume: expected a checkpoint .ckpt in " + checkpoints + ", was only Qlib's")
        .contains(hint);
    assertThat(trial("--resume", weights.toString()).err())
        .contains("--resume: expected a checkpoint .ckpt, was only Qlib's .pth")
        .contains(hint);
    assertThat(weights).hasBinaryContent(before);
    assertThat(trial("--overwrite", "--set=policy.kwargs.weight_file=" + weights).status())
        .isZero();
    assertThat(folder.resolve("run/checkpoints/001.ckpt")).exists();
  }

  @Test
  void aClassOfPythonIsRefusedByName() {
    Run known = trial("--set=env.extra_module_paths=[mine]");
    Run unknown =
        trial(
            "--overwrite",
            "--set=env.extra_module_paths=[mine]",
            "--set=reward={class: MyReward, module_path: my_reward}");

    assertThat(known.status()).as(known.err()).isZero();
    assertThat(known.err()).contains("env.extra_module_paths: no Python is run here");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("components of your own come with --plugins")
        .contains("reward.class: expected a name out of [")
        .contains("was 'MyReward'");
  }

  /// Qlib leaves `amount` out there if it is a float32, as in its own order files.
  @Test
  void ordersOfOneStepHaveTheirAmount() throws IOException {
    Path orders = Files.createDirectories(folder.resolve("orders"));
    for (String tag : List.of("train", "valid", "test")) {
      Files.createDirectory(orders.resolve(tag));
      try (Stream<Path> files = Files.list(shared.resolve("orders in pickle").resolve(tag))) {
        for (Path file : files.toList()) {
          Path target = orders.resolve(tag).resolve(file.getFileName());
          OrderFiles.write(withSingles(TableFormat.of(file).read(file, List.of())), target);
          Table written = TableFormat.of(target).readSingles(target, List.of());
          assertThat(written.column("amount")).isInstanceOf(Table.Singles.class);
        }
      }
    }

    Run run =
        trial(
            "--no_training",
            "--run_backtest",
            "--set=data.source.order_dir=" + orders,
            "--set=data.source.default_end_time_index=25");

    assertThat(run.status()).as(run.err()).isZero();
    List<String> rows = Files.readAllLines(folder.resolve("run/result.csv"));
    int amount = List.of(rows.getFirst().split(",")).indexOf("amount");
    int steps = List.of(rows.getFirst().split(",")).indexOf("steps_per_episode");
    assertThat(rows).hasSizeGreaterThan(3);
    for (String row : rows.subList(1, rows.size())) {
      assertThat(Double.parseDouble(row.split(",", -1)[steps])).isEqualTo(1);
      assertThat(Double.parseDouble(row.split(",", -1)[amount])).isPositive();
    }
  }

  private static Table withSingles(Table table) {
    var columns = new LinkedHashMap<String, Table.Column>();
    table.names().forEach(name -> columns.put(name, Objects.requireNonNull(table.column(name))));
    float[] amounts = new float[table.rows()];
    for (int row = 0; row < amounts.length; row++) {
      amounts[row] = (float) table.number("amount", row);
    }
    columns.put("amount", new Table.Singles(amounts));
    return Table.of(columns);
  }

  /// Trains a little on what is shared, into `run` of the test's own folder.
  private Run trial(String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "train",
                CONFIGS.resolve("train_opds.yml").toString(),
                "--set=data.source.order_dir=" + shared.resolve("orders in csv"),
                "--set=data.source.feature_root_dir=" + store,
                "--set=" + PROVIDER + store,
                "--set=trainer.checkpoint_path=" + folder.resolve("run"),
                "--set=trainer.max_epoch=1"));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
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
