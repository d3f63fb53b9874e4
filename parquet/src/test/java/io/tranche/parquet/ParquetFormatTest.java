package io.tranche.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.market.table.TableBars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetFormatTest {

  @TempDir Path folder;
  private final ParquetFormat parquet = new ParquetFormat();

  @Test
  void writesWhatItReads() throws IOException {
    float[] singles = {0.1f, -0.0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE};
    double[] numbers = {0.1, 1e300, Double.NEGATIVE_INFINITY, Double.NaN, -5};
    long[] times = {0, BarTime.parse("2021-03-01 09:30:00"), Table.Times.MISSING, -1, 86_399};
    Map<String, Table.Column> columns = new LinkedHashMap<>();
    columns.put("s", new Table.Singles(singles));
    columns.put("the \"n\"", new Table.Numbers(numbers));
    columns.put("t", new Table.Times(times));
    columns.put("x", Table.Texts.of("a", "a", null, "é'\n", ""));
    Path target = folder.resolve("out.parquet");

    try (var writer = parquet.create(target)) {
      writer.append(Table.of(columns));
      writer.append(Table.of(columns));
      assertThat(target).doesNotExist();
      writer.commit();
    }

    Table table = parquet.read(target, List.of());
    assertThat(table.names()).containsExactly("s", "the \"n\"", "t", "x");
    assertThat(table.rows()).isEqualTo(10);
    assertThat(parquet.columns(target)).containsExactly("s", "the \"n\"", "t", "x");
    for (int row = 0; row < 10; row++) {
      assertThat((Float) (float) table.number("s", row)).isEqualTo((Float) singles[row % 5]);
      assertThat((Double) table.number("the \"n\"", row)).isEqualTo((Double) numbers[row % 5]);
      assertThat(times(table, "t").value(row)).isEqualTo(times[row % 5]);
    }
    var texts = texts(table, "x");
    assertThat(texts.distinct()).containsExactly("a", "é'\n", "");
    assertThat(texts.value(1)).isEqualTo("a");
    assertThat(texts.value(2)).isNull();
    assertThat(texts.value(8)).isEqualTo("é'\n");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(target);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "it's.parquet",
        "a*b.parquet",
        "[ab].parquet",
        "what?.parquet",
        "x[1]*.parquet",
        "year=2021/t.parquet",
        "') FROM range(9)--.parquet",
        "{a,b}.parquet",
        "名.parquet"
      })
  void readsExactlyTheFileOfThatName(String name) throws IOException {
    Path target = folder.resolve(name);
    Files.createDirectories(target.getParent());
    write(folder.resolve("aXb.parquet"), 1);
    write(folder.resolve("a.parquet"), 1);
    write(target, 2);

    Table table = parquet.read(target, List.of());

    assertThat(table.names()).containsExactly("x");
    assertThat(table.number("x", 0)).isEqualTo(2);
    assertThat(table.rows()).isEqualTo(1);
  }

  @Test
  void doesNotTakeAPatternForAFile() throws IOException {
    write(folder.resolve("a.parquet"), 1);

    assertThatThrownBy(() -> parquet.read(folder.resolve("*.parquet"), List.of()))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a Parquet file, was none");
    assertThatThrownBy(() -> parquet.read(Path.of("https://example.org/a.parquet"), List.of()))
        .isInstanceOf(DataException.class);
  }

  @Test
  void readsIntegersDecimalsDatesAndEverySizeOfNumber() throws SQLException {
    Path file =
        made(
            """
            SELECT 1::TINYINT a, 2::UBIGINT b, 3.25::DECIMAL(18, 4) c, true d, DATE '2021-03-01' e,
              TIMESTAMP_NS '2021-03-01 09:30:00' f, 'x'::BLOB g, 7 AS __index_level_0__
            """);

    Table table = parquet.readSingles(file, List.of());

    assertThat(table.names()).containsExactly("a", "b", "c", "d", "e", "f", "g");
    assertThat(table.column("a")).isInstanceOf(Table.Singles.class);
    assertThat(table.number("c", 0)).isEqualTo(3.25);
    assertThat(table.number("d", 0)).isEqualTo(1);
    assertThat(times(table, "e").value(0)).isEqualTo(BarTime.parse("2021-03-01"));
    assertThat(times(table, "f").value(0)).isEqualTo(BarTime.parse("2021-03-01 09:30"));
    assertThat(texts(table, "g").value(0)).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[1, 2]", "{'a': 1}", "INTERVAL 1 DAY", "TIMESTAMP '2021-03-01 09:30:00.5'"})
  void namesTheColumnItCannotRead(String value) throws SQLException {
    Path file = made("SELECT %s AS odd".formatted(value));

    assertThatThrownBy(() -> parquet.read(file, List.of()))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("column odd");
  }

  @Test
  void timesWithAZoneAreInstants() throws SQLException {
    Path file =
        made(
            "SELECT TIMESTAMPTZ '2021-03-01 09:30:00+08' AS zoned,"
                + " TIMESTAMP '2021-03-01 09:30:00' AS local");

    Table table = parquet.read(file, List.of());

    assertThat(times(table, "zoned").areInstants()).isTrue();
    assertThat(times(table, "zoned").value(0)).isEqualTo(BarTime.parse("2021-03-01 01:30:00"));
    assertThat(times(table, "local").areInstants()).isFalse();
  }

  @Test
  void narrowsOnlyWhatFitsAFloat() throws SQLException {
    Path file = made("SELECT 'a' AS symbol, DATE '2021-03-01' AS date, 1e300 AS close");

    assertThatThrownBy(() -> BarFiles.open(file, ColumnMapping.DEFAULT))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("row 1, a at 2021-03-01 00:00:00, field close");
  }

  @Test
  void refusesWhatIsMissingTruncatedOrNoParquet() throws IOException {
    assertThatThrownBy(() -> parquet.read(folder.resolve("none.parquet"), List.of()))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("none.parquet: expected a Parquet file, was none");
    Path file = folder.resolve("t.parquet");
    Files.writeString(file, "x");
    assertThatThrownBy(() -> parquet.read(file, List.of())).hasMessageContaining("was 1 bytes");
    Files.writeString(file, "PAR1 this is not one PAR1");
    assertThatThrownBy(() -> parquet.read(file, List.of())).hasMessageContaining("a footer within");
    write(file, 1);
    assertThatThrownBy(() -> parquet.read(file, List.of("y")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a column y, was [x]");
  }

  @Test
  void leavesTheOldFileAndNothingElseWithoutCommit() throws IOException {
    Path target = folder.resolve("t.parquet");
    write(target, 1);

    try (var writer = parquet.create(target)) {
      writer.append(Table.of(Map.of("x", new Table.Numbers(new double[] {2}))));
    }

    assertThat(parquet.read(target, List.of()).number("x", 0)).isEqualTo(1);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(target);
    }
  }

  @Test
  void isFoundByItsExtension() throws IOException {
    assertThat(TableFormat.of(Path.of("A.PARQUET"))).isInstanceOf(ParquetFormat.class);
    Path csv = folder.resolve("in.csv");
    Files.writeString(csv, "symbol,date,close\na,2021-03-01,13.35\na,2021-03-02,2\n");
    Path target = folder.resolve("out.parquet");
    try (var source = BarFiles.open(csv, ColumnMapping.DEFAULT);
        var writer = BarFiles.create(target)) {
      BarFiles.convert(source, writer, (_, _) -> {});
    }

    var bars = (TableBars) BarFiles.open(target, ColumnMapping.DEFAULT);

    assertThat(bars.series("a").value(0, 0)).isEqualTo(13.35f);
  }

  @Test
  void locksItsDatabases() throws IOException, SQLException, InterruptedException {
    Path file = folder.resolve("t.parquet");
    write(file, 1);
    List<String> always = List.of("SET threads = 2", "INSTALL httpfs", "LOAD httpfs");
    List<String> others =
        List.of(
            "SELECT * FROM " + DuckDb.reading(file),
            "COPY (SELECT 1) TO " + DuckDb.quoted(folder.resolve("x.csv").toString()),
            "ATTACH " + DuckDb.quoted(folder.resolve("x.db").toString()));
    try (var writer = DuckDb.writer(folder.resolve("other.parquet"))) {
      for (String sql : always) {
        assertRefused(writer, sql);
        DuckDb.read(reader -> assertRefused(reader, sql));
      }
      for (String sql : others) {
        assertRefused(writer, sql);
      }
    }
  }

  private static boolean assertRefused(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql)).as(sql).isInstanceOf(SQLException.class);
      return true;
    }
  }

  private static Table.Times times(Table table, String name) {
    return (Table.Times) Objects.requireNonNull(table.column(name));
  }

  private static Table.Texts texts(Table table, String name) {
    return (Table.Texts) Objects.requireNonNull(table.column(name));
  }

  private void write(Path file, double value) throws IOException {
    try (var writer = parquet.create(file)) {
      writer.append(Table.of(Map.of("x", new Table.Numbers(new double[] {value}))));
      writer.commit();
    }
  }

  private Path made(String select) throws SQLException {
    Path file = folder.resolve("made.parquet");
    try (var connection = DriverManager.getConnection("jdbc:duckdb:");
        var statement = connection.createStatement()) {
      statement.execute(
          "COPY (%s) TO %s (FORMAT parquet)".formatted(select, DuckDb.quoted(file.toString())));
    }
    return file;
  }
}
