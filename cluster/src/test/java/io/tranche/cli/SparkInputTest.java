package io.tranche.cli;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.to_date;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What verbs read and write with Spark in this process.
class SparkInputTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset/bin_5min");
  private static final String PLACE = "spark-local[2]";

  @TempDir Path folder;

  @Test
  void aTablePartitionedByDateBecomesTheStoreItWas() throws IOException {
    Path file = folder.resolve("bars.parquet");
    run("data", "convert", GOLDEN.toString(), file.toString());
    Path table = folder.resolve("table");
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()) {
      var bars = spark.read().parquet(file.toString());
      bars.withColumn("date", to_date(col("datetime")))
          .write()
          .partitionBy("date")
          .parquet(table.toString());
    }

    run("data", "convert", table.toString(), folder.resolve("there").toString(), "--on", PLACE);
    run("data", "convert", file.toString(), folder.resolve("here").toString());

    assertThat(table.resolve("date=2021-03-01")).isDirectory();
    // Spark lists instruments by name, a file in its own order.
    Path list = Path.of("instruments/all.txt");
    Files.write(
        folder.resolve("here").resolve(list),
        Files.readAllLines(folder.resolve("here").resolve(list)).stream().sorted().toList());
    assertSameTree(folder.resolve("here"), folder.resolve("there"));
  }

  @Test
  void ordersOfAStoreAreTheSame() throws IOException {
    String[] generate = {"orders", "generate", GOLDEN.toString()};

    run(with(generate, folder.resolve("here").toString()));
    run(with(generate, folder.resolve("there").toString(), "--on", PLACE));

    assertSameTree(folder.resolve("here"), folder.resolve("there"));
  }

  @Test
  void featuresOfAStoreAreTheSame() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("features.yml"),
            """
            start: 2021-03-01
            end: 2021-03-02
            day_length: 48
            columns: [$open, $high, $low, $close]
            norm_groups: {price: 8, volume: 2}
            """);
    String[] features = {"data", "features", config.toString()};
    String[] source = {"--source", GOLDEN.toString()};

    run(with(with(features, folder.resolve("here").toString()), source));
    run(with(with(features, folder.resolve("there").toString(), "--on", PLACE), source));

    assertSameTree(folder.resolve("here"), folder.resolve("there"));
  }

  @Test
  void filesOfAnotherFileSystemAreBroughtHere() throws IOException {
    Path orders =
        Files.writeString(
            folder.resolve("orders.csv"),
            """
            datetime,instrument,amount,direction
            2021-03-02,SH600000,5000,0
            2021-03-01,SZ000001,900,1
            """);
    Path here = backtest("here.yml", orders.toString(), GOLDEN.toString());
    Path there = backtest("there.yml", "file://" + orders, "file://" + GOLDEN);

    run("backtest", here.toString(), "--out", folder.resolve("here").toString());
    for (String out : List.of("once", "again")) {
      run("backtest", there.toString(), "--out", folder.resolve(out).toString(), "--on", PLACE);

      assertThat(folder.resolve(out).resolve("backtest_result.csv"))
          .hasSameBinaryContentAs(folder.resolve("here/backtest_result.csv"));
    }
  }

  @Test
  void whatIsNotThereIsOneMessage() throws IOException {
    Path config = backtest("gone.yml", "file:///nothing/here.csv", GOLDEN.toString());
    var err = new StringWriter();

    int backtest =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            "backtest",
            config.toString(),
            "--on",
            PLACE);
    int convert =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            with(
                new String[] {"data", "convert", "/nothing/here", folder + "/store"},
                "--on",
                PLACE));

    assertThat(backtest).isEqualTo(ExitCode.DATA);
    assertThat(convert).isEqualTo(ExitCode.DATA);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("file:///nothing/here.csv: expected a file"),
            line -> assertThat(line).startsWith("/nothing/here: expected a table that Spark"));
  }

  private Path backtest(String name, String orders, String store) throws IOException {
    return Files.writeString(
        folder.resolve(name),
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
            .formatted(orders, store));
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  private static void run(String... arguments) {
    var err = new StringWriter();
    int status =
        Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), arguments);
    assertThat(status).as(err.toString()).isZero();
  }

  private static void assertSameTree(Path here, Path there) throws IOException {
    List<Path> files = files(here);
    assertThat(files).isNotEmpty().isEqualTo(files(there));
    for (Path file : files) {
      assertThat(there.resolve(file)).hasSameBinaryContentAs(here.resolve(file));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(folder::relativize).sorted().toList();
    }
  }
}
