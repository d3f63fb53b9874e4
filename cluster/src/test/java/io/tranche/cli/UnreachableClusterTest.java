package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Places where nobody works: one message each.
class UnreachableClusterTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset/bin_5min");

  @TempDir Path folder;
  private Path config = Path.of("");

  @BeforeEach
  void write() throws IOException {
    Path orders =
        Files.writeString(
            folder.resolve("orders.csv"),
            """
            datetime,instrument,amount,direction
            2021-03-02,SH600000,5000,0
            """);
    config =
        Files.writeString(
            folder.resolve("backtest.yml"),
            """
            order_file: %s
            start_time: "9:30"
            end_time: "14:54"
            data_granularity: 5min
            qlib: {provider_uri_5min: %s}
            exchange: {limit_threshold: null, deal_price: [$close, $close], volume_threshold: null}
            strategies:
              30min: {class: TWAPStrategy}
              1day: {class: TWAPStrategy}
            """
                .formatted(orders, GOLDEN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Nothing listens at the first port of any machine.
        "spark://127.0.0.1:1 | a Spark master that can be reached, was spark://127.0.0.1:1 (",
        "spark://nowhere.invalid:7077 | a Spark master that can be reached, was spark://nowhere",
        "spark://127.0.0.1 | spark://HOST:PORT, was spark://127.0.0.1",
        "yarn | a place where Spark 4.2.0 can work, was yarn (",
        "moon | local, spark://HOST:PORT, k8s://ADDRESS or yarn, with the jars for it, was moon"
      })
  void aPlaceThatIsNotThereIsOneMessage(String place, String message) {
    var err = new StringWriter();

    int status =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            "backtest",
            config.toString(),
            "--out",
            folder.toString(),
            "--on",
            place);

    assertThat(status).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("--on: expected " + message);
  }

  /// Of a master that speaks another version's language nothing is heard either.
  @Test
  void somethingThatListensButDoesNotAnswerIsOneMessage() throws Exception {
    Path log = folder.resolve("log.txt");
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--sun-misc-unsafe-memory-access=allow",
                  "-Xmx512m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName()));
      command.addAll(
          List.of(
              "backtest",
              config.toString(),
              "--on",
              "spark://127.0.0.1:" + silent.getLocalPort(),
              "--spark-conf",
              "spark.tranche.patience=3s"));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .directory(folder.toFile())
              .start();

      assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(ExitCode.CONFIG);
    }

    assertThat(Files.readString(log))
        .contains("--on: expected a Spark 4.2.0 master that takes the application within 3 s")
        .doesNotContain("\tat ");
  }
}
