package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacktestCommandTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset/bin_5min");
  private static final long MAX_SECONDS = 120;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"twap", "opds"})
  void givesTheRowsOfTheRealQlib(String name) throws Exception {
    Path qlib = copyOfQlibRun();
    String config = "exp_configs/run_backtest_%s.yml".formatted(name);
    String expected = Files.readString(qlib.resolve("expected/backtest_%s.csv".formatted(name)));
    Path result = qlib.resolve("outputs/backtest_%s/backtest_result.csv".formatted(name));

    for (List<String> options : List.of(List.of("--n_jobs", "2"), List.of("--use_simulator"))) {
      Files.deleteIfExists(result);
      int status = backtest(qlib, config, options);

      assertThat(status).as(Files.readString(qlib.resolve("log.txt"))).isZero();
      assertThat(Files.readString(result)).isEqualTo(expected);
    }
  }

  @Test
  void refusesTheWeightsOfAnotherNetwork() throws Exception {
    Path qlib = copyOfQlibRun();

    int status =
        backtest(
            qlib,
            "exp_configs/run_backtest_opds.yml",
            List.of("--set", "strategies.1day.kwargs.network.kwargs.hidden_dim=32"));

    assertThat(status).isEqualTo(ExitCode.CHECKPOINT);
    assertThat(Files.readString(qlib.resolve("log.txt")))
        .contains("latest.pth: expected the weights of this model, was a file with")
        .contains("of shape [192, 64] instead of [96, 32]");
  }

  @Test
  void endsWithFiveWhereOrdersFailed() throws IOException {
    Path config = write("2021-03-01,SH600000,800,1\n2021-03-01,SH999999,800,1\n");

    Run refused = Run.of("backtest", config.toString());
    Run run = Run.of("backtest", config.toString(), "--skip-bad");

    assertThat(refused.status()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .contains("orders.csv: row 2: expected an instrument of the store, was SH999999");
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.FAILED_ORDERS);
    assertThat(run.out()).startsWith("1 orders of 1 instruments: advantage");
    assertThat(run.err()).contains("1 orders failed: ").contains("failed_orders.csv");
  }

  @Test
  void warnsOfKeysThatQlibIgnores() throws IOException {
    Path config = write("2021-03-01,SH600000,800,1\n");
    Files.writeString(config, Files.readString(config) + "generate_report: true\nother: 1\n");

    Run run = Run.of("backtest", config.toString(), "--logs");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("no report.pkl is written").contains("'other'");
    assertThat(folder.resolve("out/fills.csv")).isNotEmptyFile();
    assertThat(folder.resolve("out/history.csv")).isNotEmptyFile();
  }

  private Path write(String orders) throws IOException {
    Path file = folder.resolve("orders.csv");
    Files.writeString(file, "datetime,instrument,amount,direction\n" + orders);
    return Files.writeString(
        folder.resolve("backtest.yml"),
        """
        order_file: %s
        start_time: "9:30"
        end_time: "14:54"
        data_granularity: 5min
        output_dir: %s
        qlib: {provider_uri_5min: %s}
        exchange: {limit_threshold: null, deal_price: [$close, $close], volume_threshold: null}
        strategies: {1day: {class: TWAPStrategy}, 30min: {class: TWAPStrategy}}
        """
            .formatted(file, folder.resolve("out"), GOLDEN));
  }

  private Path copyOfQlibRun() throws IOException {
    Path from = Shared.orSkip("qlib-run");
    Path to = folder.resolve("qlib-run");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  private static int backtest(Path in, String config, List<String> options) throws Exception {
    var arguments = new ArrayList<>(List.of("backtest", config));
    arguments.addAll(options);
    Process process = SmallTraining.start(in, arguments);
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
