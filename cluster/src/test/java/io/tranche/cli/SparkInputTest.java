package io.tranche.cli;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.date_format;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.to_utc_timestamp;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What verbs read and write with Spark in this process.
class SparkInputTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset/bin_5min");
  private static final String PLACE = "spark-local[2]";
  private static final String SESSION = "--session";

  @TempDir Path folder;

  @Test
  void aTablePartitionedByDateBecomesTheStoreItWas() throws IOException {
    Path file = folder.resolve("bars.parquet");
    run("data", "convert", GOLDEN.toString(), "--out", file.toString());
    Path table = folder.resolve("table");
    try (SparkSession spark = session()) {
      var bars = spark.read().parquet(file.toString());
      bars.withColumn("date", to_date(col("datetime")))
          .write()
          .partitionBy("date")
          .parquet(table.toString());
    }

    run(
        "data",
        "convert",
        table.toString(),
        folder.resolve("there").toString(),
        "--session",
        "cn_stocks",
        "--on",
        PLACE);
    run(
        "data",
        "convert",
        file.toString(),
        folder.resolve("here").toString(),
        "--session",
        "cn_stocks");

    assertThat(table.resolve("date=2021-03-01")).isDirectory();
    sortInstruments(folder.resolve("here"));
    assertSameTree(folder.resolve("here"), folder.resolve("there"));
  }

  @ParameterizedTest
  @EnumSource(names = {"US_STOCKS", "CN_FUTURES", "CRYPTO"})
  void sessionsAreFoundAsInFiles(MarketBars.Kind kind) throws IOException {
    Path csv = new MarketBars(kind, 15, MarketBars.Columns.NEITHER, 8, 3).write(folder);
    Path file = folder.resolve("bars.parquet");
    run("data", "convert", csv.toString(), "--out", file.toString());

    run("data", "convert", file.toString(), "--out", folder.resolve("here").toString());
    run(
        "data",
        "convert",
        file.toString(),
        "--out",
        folder.resolve("there").toString(),
        "--on",
        PLACE);

    sortInstruments(folder.resolve("here"));
    assertSameTree(folder.resolve("here"), folder.resolve("there"));
  }

  @Test
  void timesWithAZoneAreConvertedAsInFiles() throws IOException {
    Path csv =
        new MarketBars(MarketBars.Kind.US_STOCKS, 15, MarketBars.Columns.NEITHER, 8, 3)
            .write(folder);
    Path local = folder.resolve("local.parquet");
    run("data", "convert", csv.toString(), "--out", local.toString());
    Path zoned = folder.resolve("zoned");
    Path texts = folder.resolve("texts");
    try (SparkSession spark = session()) {
      Dataset<Row> bars = spark.read().parquet(local.toString());
      Column utc = to_utc_timestamp(col("datetime").cast("timestamp"), "America/New_York");
      Dataset<Row> instants = bars.withColumn("datetime", utc);
      instants.coalesce(1).write().parquet(zoned.toString());
      instants
          .withColumn("datetime", date_format(col("datetime"), "yyyy-MM-dd'T'HH:mm:ss'Z'"))
          .coalesce(1)
          .write()
          .parquet(texts.toString());
    }
    Path here = folder.resolve("here");
    String part = zoned.resolve(only(zoned)).toString();
    run("data", "convert", part, "--out", here.toString(), SESSION, "us_stocks");
    assertThat(Files.readAllLines(here.resolve("calendars/15min.txt")).getFirst())
        .endsWith(" 09:30:00");
    sortInstruments(here);

    for (Path table : List.of(zoned, texts)) {
      Path there = folder.resolve("there-" + table.getFileName());
      run(
          "data",
          "convert",
          table.toString(),
          there.toString(),
          SESSION,
          "us_stocks",
          "--on",
          PLACE);
      assertSameTree(here, there);
    }
    var err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            "data",
            "convert",
            zoned.toString(),
            folder.resolve("none").toString(),
            "--on",
            PLACE);
    assertThat(status).isEqualTo(ExitCode.DATA);
    assertThat(err.toString()).contains("to convert times of UTC");
  }

  @Test
  void theCurrentSnapshotOfAnIcebergTableBecomesTheStoreItWas() throws IOException {
    Path file = folder.resolve("bars.parquet");
    run("data", "convert", GOLDEN.toString(), "--out", file.toString());
    Path place = folder.resolve("table");
    String metadataFile;
    try (SparkSession spark = session()) {
      Dataset<Row> bars = spark.read().parquet(file.toString());
      Dataset<Row> early = bars.filter(col("datetime").lt("2021-02-20"));
      Dataset<Row> late = bars.filter(col("datetime").geq("2021-02-20"));
      var made = IcebergBars.create(place, bars.withColumnRenamed("close", "last").schema());
      made.append(early.withColumnRenamed("close", "last"));
      made.table().updateSchema().renameColumn("last", "close").commit();
      made.append(late);
      List<DataFile> twice = made.append(late);
      DeleteFiles delete = made.table().newDelete();
      twice.forEach(delete::deleteFile);
      delete.commit();
      metadataFile = ((BaseTable) made.table()).operations().current().metadataFileLocation();
    }

    run(
        "data",
        "convert",
        file.toString(),
        folder.resolve("here").toString(),
        "--session",
        "cn_stocks");
    sortInstruments(folder.resolve("here"));
    for (String location : List.of(place.toString(), metadataFile)) {
      Path there = folder.resolve("there" + location.length());
      run(
          "data",
          "convert",
          "iceberg:" + location,
          there.toString(),
          "--session",
          "cn_stocks",
          "--on",
          PLACE);

      assertSameTree(folder.resolve("here"), there);
    }
  }

  @Test
  void anIcebergTableThatSparkAloneWouldReadOtherwiseIsRefused() throws IOException {
    Path file = folder.resolve("bars.parquet");
    run("data", "convert", GOLDEN.toString(), "--out", file.toString());
    try (SparkSession spark = session()) {
      Dataset<Row> day =
          spark.read().parquet(file.toString()).filter(col("datetime").geq("2021-03-04"));
      IcebergBars.create(folder.resolve("empty"), day.schema());
      IcebergBars.create(folder.resolve("unnumbered"), day.schema()).appendAsTheyAre(day);

      var deleted = IcebergBars.create(folder.resolve("deleted"), day.schema());
      deleted
          .table()
          .newRowDelta()
          .addDeletes(
              FileMetadata.deleteFileBuilder(deleted.table().spec())
                  .ofPositionDeletes()
                  .withPath(folder.resolve("gone.parquet").toString())
                  .withFormat(FileFormat.PARQUET)
                  .withPartition(deleted.append(day).getFirst().partition())
                  .withFileSizeInBytes(1)
                  .withRecordCount(1)
                  .build())
          .commit();

      var orc = IcebergBars.create(folder.resolve("orc"), day.schema());
      Path columns = folder.resolve("day=2021-03-04/bars.orc");
      orc.table().newAppend().appendFile(orc.dataFile(columns, FileFormat.ORC)).commit();

      var hidden = IcebergBars.create(folder.resolve("hidden"), day.schema());
      Path seen = Path.of(URI.create(hidden.append(day).getFirst().location()));
      Path unseen = Files.copy(seen, seen.resolveSibling("_bars.parquet"));
      hidden.table().newAppend().appendFile(hidden.dataFile(unseen, FileFormat.PARQUET)).commit();
    }

    assertThat(refusal("nothing")).contains("expected the folder of an Iceberg table");
    assertThat(refusal("nothing/v1.metadata.json")).contains("expected the folder of an Iceberg");
    assertThat(refusal("empty")).contains("expected a table with rows, was an empty one");
    assertThat(refusal("unnumbered")).contains("doesn't contain any field Ids");
    assertThat(refusal("deleted"))
        .contains("expected a data file without deleted rows", "gone.parquet");
    assertThat(refusal("orc")).contains("bars.orc: expected a data file in Parquet, was ORC");
    assertThat(refusal("hidden")).contains("expected 2 data files that Spark finds", "was 1");
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
                new String[] {"data", "convert", "/nothing/here", "--out", folder + "/store"},
                "--on",
                PLACE));

    assertThat(backtest).isEqualTo(ExitCode.DATA);
    assertThat(convert).isEqualTo(ExitCode.DATA);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("file:///nothing/here.csv: expected a file"),
            line -> assertThat(line).startsWith("/nothing/here: expected a table that Spark"));
  }

  /// Returns why an Iceberg table is not converted.
  private String refusal(String table) {
    var err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            with(
                new String[] {"data", "convert", "iceberg:" + folder.resolve(table), "--out"},
                folder.resolve("store").toString(),
                "--on",
                PLACE));
    assertThat(status).as(err.toString()).isEqualTo(ExitCode.DATA);
    assertThat(err.toString().lines()).hasSize(1);
    return err.toString();
  }

  /// Returns the name of the one Parquet file of a table.
  private static Path only(Path table) throws IOException {
    return files(table).stream()
        .filter(file -> file.toString().endsWith(".parquet"))
        .findAny()
        .orElseThrow();
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate();
  }

  /// Spark lists instruments by name, a file in its own order.
  private static void sortInstruments(Path store) throws IOException {
    Path list = store.resolve("instruments/all.txt");
    Files.write(list, Files.readAllLines(list).stream().sorted().toList());
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
