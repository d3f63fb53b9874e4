package io.tranche.market.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormatTest {

  @TempDir Path folder;
  private final CsvFormat csv = new CsvFormat();

  @Test
  void infersNumbersTimesAndTextsByWholeColumns() throws IOException {
    Table table = read("code,at,price,note\n000001,2021-03-01 09:30,1.5,1\n600000,2021-03-02,,x\n");

    assertThat(table.names()).containsExactly("code", "at", "price", "note");
    assertThat(texts(table, "code")).containsExactly("000001", "600000");
    assertThat(table.column("at")).isInstanceOf(Table.Times.class);
    assertThat(table.number("price", 0)).isEqualTo(1.5);
    assertThat(table.number("price", 1)).isNaN();
    assertThat(texts(table, "note")).containsExactly("1", "x");
  }

  @Test
  void readsQuotesByteOrderMarkAndCarriageReturns() throws IOException {
    Table table = read("\uFEFF\"a,b\",c\r\n\"say \"\"hi\"\"\r\n\",\"2\"\r\n\"\",3");

    assertThat(table.names()).containsExactly("a,b", "c");
    assertThat(texts(table, "a,b")).containsExactly("say \"hi\"\r\n", null);
    assertThat(table.number("c", 0)).isEqualTo(2);
    assertThat(table.number("c", 1)).isEqualTo(3);
  }

  @Test
  void readsTheSpellingsOfMissingAndInfinite() throws IOException {
    Table table = read("x\nnan\nNA\nNULL\nNone\nn/a\ninf\n-Infinity\n+inf\n-0\n1e3\n");

    for (int row = 0; row < 5; row++) {
      assertThat(table.number("x", row)).isNaN();
    }
    assertThat(table.number("x", 5)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(table.number("x", 6)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(Double.doubleToRawLongBits(table.number("x", 8)))
        .isEqualTo(Double.doubleToRawLongBits(-0.0));
    assertThat(table.number("x", 9)).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a;at;b\n1,5;2024-01-02 09:30;x\n-2,25;2024-01-02 09:31;y\n",
        "a\tat\tb\n1,5\t2024-01-02 09:30\tx\n-2.25\t2024-01-02 09:31\ty\n"
      })
  void readsExportsOfSpreadsheets(String text) throws IOException {
    Table table = read(text);
    assertThat(table.number("a", 0)).isEqualTo(1.5);
    assertThat(table.number("a", 1)).isEqualTo(-2.25);
    assertThat(table.column("at")).isInstanceOf(Table.Times.class);
    assertThat(table.column("b")).isInstanceOf(Table.Texts.class);
  }

  @Test
  void aHeaderWithACommaSeparatesByCommas() throws IOException {
    Table table = read("a,b;c\n1,2;3\n");
    assertThat(table.names()).containsExactly("a", "b;c");
    assertThat(table.column("b;c")).isInstanceOf(Table.Texts.class);
  }

  @Test
  void aFirstLineWithATimeIsNoHeader() {
    assertThatThrownBy(() -> read("2024-01-02 09:30,10.5\n2024-01-02 09:31,10.6\n"))
        .isInstanceOf(DataException.class)
        .hasMessageEndingWith(
            "t.csv:1: expected a header line with the names of the columns, was '2024-01-02 09:30'");
  }

  @Test
  void selectsColumnsInTheOrderAskedFor() throws IOException {
    Table table = csv.read(file("a,b,c\n1,2,3\n"), List.of("c", "a"));

    assertThat(table.names()).containsExactly("c", "a");
    assertThat(csv.columns(folder.resolve("t.csv"))).containsExactly("a", "b", "c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a,b\\n1,2\\n3\\n        | t.csv:3: expected 2 cells, was 1
          a,b\\n1,2,3\\n           | t.csv:2: expected 2 cells, was more
          a,a\\n1,2\\n             | t.csv:1: expected different column names, was a
          a\\n1\\n\\n2\\n          | t.csv:3: expected a record, was a blank line
          a\\n"x\\n                | expected a closing quote, was the end of the file
          a\\n"x"y\\n              | t.csv:2: expected a separator or the end of the line
          a\\nx"y\\n               | t.csv:2: expected a cell with a quote to be quoted
          """)
  void namesFileLineAndRuleOfDamage(String text, String message) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void namesTheColumnOfTextThatIsNotUtf8() throws IOException {
    Path file = folder.resolve("t.csv");
    Files.write(file, new byte[] {'a', ',', 'b', '\n', '1', ',', (byte) 0xC3, '\n'});

    assertThatThrownBy(() -> csv.read(file, List.of()))
        .hasMessageContaining("t.csv:2, column b: expected UTF-8");
  }

  @Test
  void refusesEmptyMissingAndOversizedFiles() {
    assertThatThrownBy(() -> read("")).hasMessageContaining("a header");
    assertThatThrownBy(() -> csv.read(folder.resolve("none.csv"), List.of()))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("none.csv: expected a readable CSV file, was none");
    assertThatThrownBy(() -> read("a\n" + "x".repeat(CsvCells.MAX_CELL + 1)))
        .hasMessageContaining("a cell of at most");
    assertThatThrownBy(() -> read("a\n" + "x".repeat(9 * CsvCells.MAX_CELL)))
        .hasMessageContaining("a cell of at most");
    assertThatThrownBy(() -> csv.read(file("a\n1\n"), List.of("b")))
        .hasMessageContaining("expected a column b, was [a]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "-1.5", "+.5", "5.", "1e-400", "123456789012345678901234567890"})
  void parsesNumbersAsTheJdkDoes(String text) {
    assertNumber(text);
  }

  @Test
  void parsesEveryPrintedNumberToItsBits() {
    Cases.forAll(
        Cases.count(100_000, 10_000_000),
        random -> {
          double value = Double.longBitsToDouble(random.nextLong());
          float single = Float.intBitsToFloat(random.nextInt());
          if (Double.isFinite(value)) {
            assertNumber(Double.toString(value));
            assertNumber("%d.%04d".formatted(random.nextInt(100_000), random.nextInt(10_000)));
          }
          if (Float.isFinite(single)) {
            // By way of a double, and still the same float.
            assertThat((float) assertNumber(Float.toString(single))).isEqualTo(single);
          }
        });
  }

  private static double assertNumber(String text) {
    var number = new NumberText();
    byte[] bytes = text.getBytes(UTF_8);

    assertThat(number.parse(bytes, 0, bytes.length)).as(text).isTrue();
    assertThat(number.value()).as(text).isEqualTo(Double.parseDouble(text));
    return number.value();
  }

  @Test
  void parsesTimesAsBarTimeDoes() {
    String letters = "0123456789-: T.";
    Cases.forAll(
        Cases.count(100_000, 1_000_000),
        random -> {
          var text =
              new StringBuilder(BarTime.format(random.nextLong(-6_000_000_000L, 9_000_000_000L)));
          text.setLength(new int[] {10, 16, 19}[random.nextInt(3)]);
          if (random.nextInt(3) == 0) {
            text.setCharAt(
                random.nextInt(text.length()), letters.charAt(random.nextInt(letters.length())));
          }
          if (random.nextInt(5) == 0) {
            text.append(".000");
          }
          assertTime(text.toString());
        });
  }

  @ParameterizedTest
  @CsvSource({
    "2024-03-04T14:30:00Z, 2024-03-04 14:30:00",
    "2024-03-04 09:30:00-05:00, 2024-03-04 14:30:00",
    "2024-03-04 09:30-0500, 2024-03-04 14:30:00",
    "2024-03-05 01:00:00.000+08, 2024-03-04 17:00:00",
    "2024-03-04 20:00:00 +05:45, 2024-03-04 14:15:00"
  })
  void timesWithAnOffsetAreInstants(String text, String utc) {
    var time = new TimeText();
    byte[] bytes = text.getBytes(UTF_8);

    assertThat(time.parse(bytes, 0, bytes.length)).isTrue();
    assertThat(time.isZoned()).isTrue();
    assertThat(time.value()).isEqualTo(BarTime.parse(utc)).isEqualTo(BarTime.parseInstant(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-03-04 09:30:00+", "2024-03-04 09:30:00+19:00", "2024-03-04 09:30:00+05:60",
        "2024-03-04 09:30:00Zulu", "2024-03-04Z", "2024-03-04 09:30:00-5"
      })
  void whatIsNoOffsetIsNoTime(String text) {
    byte[] bytes = text.getBytes(UTF_8);

    assertThat(new TimeText().parse(bytes, 0, bytes.length)).isFalse();
  }

  private static void assertTime(String text) {
    var time = new TimeText();
    byte[] bytes = text.getBytes(UTF_8);
    long expected;
    try {
      expected = BarTime.hasOffset(text) ? BarTime.parseInstant(text) : BarTime.parse(text);
    } catch (DateTimeException e) {
      expected = -1;
    }

    boolean parsed = time.parse(bytes, 0, bytes.length);

    assertThat(parsed ? time.value() : -1).as(text).isEqualTo(expected);
  }

  @Test
  void writesWhatItReads() throws IOException {
    float[] singles = {0.1f, -0.0f, Float.NaN, 1e10f, Float.MIN_VALUE};
    double[] numbers = {0.1, 1e300, Double.POSITIVE_INFINITY, Double.NaN, -5};
    long[] times = {0, BarTime.parse("2021-03-01 09:30:00"), Table.Times.MISSING, -1, 86_399};
    Map<String, Table.Column> columns = new LinkedHashMap<>();
    columns.put("s", new Table.Singles(singles));
    columns.put("n", new Table.Numbers(numbers));
    columns.put("t", new Table.Times(times));
    columns.put("x", Table.Texts.of("a,b", "\"", null, "é\n", "plain"));
    Path target = folder.resolve("out.csv");

    try (var writer = csv.create(target)) {
      writer.append(Table.of(columns));
      writer.append(Table.of(columns));
      assertThat(target).doesNotExist();
      writer.commit();
    }

    assertThat(target).content().startsWith("s,n,t,x\n0.1,0.1,1970-01-01 00:00:00,\"a,b\"\n");
    Table table = csv.read(target, List.of());
    assertThat(table.rows()).isEqualTo(10);
    for (int row = 0; row < 10; row++) {
      assertThat((Float) (float) table.number("s", row)).isEqualTo((Float) singles[row % 5]);
      assertThat((Double) table.number("n", row)).isEqualTo((Double) numbers[row % 5]);
      assertThat(((Table.Times) column(table, "t")).value(row)).isEqualTo(times[row % 5]);
    }
    assertThat(texts(table, "x")).startsWith("a,b", "\"", null, "é\n", "plain");
    assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void writesARowThatIsWhollyMissing() throws IOException {
    Path target = folder.resolve("out.csv");
    try (var writer = csv.create(target)) {
      writer.append(Table.of(Map.of("x", new Table.Numbers(new double[] {1, Double.NaN, 2}))));
      writer.commit();
    }

    assertThat(csv.read(target, List.of()).rows()).isEqualTo(3);
  }

  @Test
  void leavesTheOldFileAndNothingElseWithoutCommit() throws IOException {
    Path target = file("old\n1\n");

    try (var writer = csv.create(target)) {
      writer.append(Table.of(Map.of("x", new Table.Numbers(new double[100_000]))));
    }

    assertThat(target).hasContent("old\n1\n");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(target);
    }
  }

  private Table read(String text) throws IOException {
    return csv.read(file(text), List.of());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private static Table.Column column(Table table, String name) {
    return Objects.requireNonNull(table.column(name));
  }

  private static List<@Nullable String> texts(Table table, String name) {
    Table.Texts texts = (Table.Texts) column(table, name);
    var values = new ArrayList<@Nullable String>();
    for (int row = 0; row < texts.size(); row++) {
      values.add(texts.value(row));
    }
    return values;
  }
}
