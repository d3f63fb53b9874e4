package io.tranche.market.pickle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.testkit.Shared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of real pandas: src/test/resources/pickle/README.md gives versions and script.
class PandasFramesTest {

  private static final Path FOLDER = Shared.root().resolve("market/src/test/resources/pickle");

  static List<String> writers() {
    return List.of("pandas15", "pandas2", "pandas3", "pandas3arrow");
  }

  @ParameterizedTest
  @MethodSource("writers")
  void readsOrders(String writer) {
    for (String protocol : List.of("p2", "p3", "p4", "p5")) {
      Table table = read(writer + "_orders_" + protocol);

      assertThat(table.names())
          .containsExactly("date", "instrument", "$close0", "amount", "order_type");
      assertThat(values(table, "date"))
          .containsExactly("2021-03-01 00:00:00", "2021-03-02 00:00:00", "2021-03-03 00:00:00");
      assertThat(values(table, "instrument")).containsExactly("S1", "S1", "S1");
      assertThat(values(table, "$close0")).containsExactly(10.5, 11.25, 12.0);
      assertThat(values(table, "amount")).containsExactly(100.0, 250.5, 3.0);
      assertThat(values(table, "order_type")).containsExactly(0.0, 1.0, 0.0);
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void readsBacktestFramesInSinglePrecision(String writer) {
    for (Table table : both(writer, "backtest")) {
      assertThat(table.names())
          .containsExactly(
              "instrument", "datetime", "date", "$bid0", "$ask0", "$close0", "$volume0");
      assertThat(values(table, "datetime").get(5)).isEqualTo("2021-03-02 09:35:00");
      assertThat(values(table, "date").get(5)).isEqualTo("2021-03-02 00:00:00");
      assertThat(table.column("$ask0")).isInstanceOf(Table.Singles.class);
      assertThat(values(table, "$ask0").get(5)).isEqualTo(6.5);
      assertThat(values(table, "$volume0").get(7)).isEqualTo(800.0);
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void readsEveryKindOfColumn(String writer) {
    for (Table table : both(writer, "mixed")) {
      var times =
          new ArrayList<@Nullable Object>(
              List.of("2021-03-01 09:30:00", "", "1969-12-31 23:59:59", "2021-03-04 00:00:00"));
      times.set(1, null);

      assertThat(values(table, "text")).containsExactly("one", null, "drei", "四");
      assertThat(values(table, "double"))
          .containsExactly(1.5, Double.NaN, Double.NEGATIVE_INFINITY, 1e-300);
      assertThat(values(table, "single")).containsExactly(1.5, Double.NaN, 3.25, -0.0);
      assertThat(values(table, "long")).containsExactly(1.0, -2.0, 3.0, 1099511627776.0);
      assertThat(values(table, "small")).containsExactly(1.0, -2.0, 3.0, 127.0);
      assertThat(values(table, "unsigned")).containsExactly(1.0, 2.0, 3.0, 65535.0);
      assertThat(values(table, "flag")).containsExactly(1.0, 0.0, 1.0, 1.0);
      assertThat(values(table, "objects")).containsExactly(1.0, 2.5, Double.NaN, 1.0);
      assertThat(values(table, "category")).containsExactly("b", null, "a", "b");
      assertThat(values(table, "big_endian")).containsExactly(1.5, 2.5, 3.5, 4.5);
      for (String name : table.names()) {
        if (name.equals("nanos") || name.startsWith("in_")) {
          assertThat(values(table, name)).isEqualTo(times);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void findsEachColumnWhateverTheLayoutOfItsBlock(String writer) {
    for (String layout : List.of("row_major", "column_major")) {
      for (Table table : both(writer, layout)) {
        assertThat(table.names()).containsExactly("a", "b", "c");
        assertThat(values(table, "a")).containsExactly(0.0, 3.0, 6.0, 9.0);
        assertThat(values(table, "c")).containsExactly(2.0, 5.0, 8.0, 11.0);
      }
    }
    for (Table table : both(writer, "pieces")) {
      assertThat(table.names()).containsExactly("d", "c", "e", "a", "b");
      assertThat(values(table, "d")).containsExactly("x", "z");
      assertThat(values(table, "c")).containsExactly(6.0, 8.0);
      assertThat(values(table, "e")).containsExactly(4.0, 8.0);
      assertThat(values(table, "a")).containsExactly(2.0, 4.0);
      assertThat(values(table, "b")).containsExactly(2.0, 4.0);
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void readsSeriesEmptyFramesAndMissingKeys(String writer) {
    for (Table table : both(writer, "series")) {
      assertThat(table.names()).containsExactly("key", "value");
      assertThat(values(table, "key")).containsExactly("x", "y");
      assertThat(values(table, "value")).containsExactly(1.5, 2.5);
    }
    for (Table table : both(writer, "unnamed_series")) {
      assertThat(table.names()).containsExactly("index", "0");
      assertThat(values(table, "index"))
          .containsExactly("2021-03-01 00:00:00", "2021-03-02 00:00:00");
    }
    for (Table table : both(writer, "empty")) {
      assertThat(table.names()).hasSize(5);
      assertThat(table.rows()).isZero();
    }
    for (Table table : both(writer, "missing_keys")) {
      assertThat(values(table, "k")).containsExactly("a", null, "b");
      assertThat(values(table, "t"))
          .containsExactly("2021-03-01 00:00:00", null, "2021-03-02 00:00:00");
    }
    for (Table table : both(writer, "joined")) {
      assertThat(values(table, "s")).containsExactly("a", "bb", null, "a");
    }
    for (Table table : both(writer, "masked")) {
      assertThat(values(table, "i")).containsExactly(1.0, Double.NaN, 3.0);
      assertThat(values(table, "b")).containsExactly(1.0, Double.NaN, 0.0);
    }
    for (Table table : both(writer, "dates")) {
      assertThat(values(table, "date"))
          .containsExactly("2021-03-01 00:00:00", "2021-03-01 00:00:00");
      assertThat(values(table, "stamp")).containsExactly("2021-03-01 09:30:00", null);
      assertThat(values(table, "text")).containsExactly("x", null);
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void refusesFractionsOfSecondsAndZones(String writer) {
    assertThatThrownBy(() -> read(writer + "_half_second_p4"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("half_second_p4.pkl: byte ")
        .hasMessageContaining("whole seconds");
    assertThatThrownBy(() -> read(writer + "_zoned_p5"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("times without a zone");
    assertThatThrownBy(() -> read(writer + "_plain_p5"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("a pandas DataFrame or Series, was a dict of 7");
  }

  @Test
  void selectsColumnsAndNamesTheMissing() {
    Path file = FOLDER.resolve("pandas2_orders_p5.pkl");
    var format = new PickleFormat();

    assertThat(format.read(file, List.of("amount", "date")).names())
        .containsExactly("amount", "date");
    assertThatThrownBy(() -> format.read(file, List.of("volume")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("a column volume");
    assertThatThrownBy(() -> format.read(FOLDER.resolve("absent.pkl"), List.of()))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("absent.pkl");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.pkl", "a.pickle", "S1.pkl.target", "S1.pkl.backtest"})
  void acceptsTheNamesOfPickles(String name) {
    assertThat(new PickleFormat().accepts(Path.of("x", name))).isTrue();
    assertThat(new PickleFormat().accepts(Path.of("x", name + ".csv"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pandas2_p4", "pandas2_p5", "pandas3_p4", "pandas3_p5"})
  void readsTheTestOrdersAsTheirCsvSaysThem(String version) throws Exception {
    compareWithCsv(Shared.orSkip("qlib-run/pickles/orders_" + version + ".pkl"));
  }

  @Test
  void readsTheMergedOrdersOfARealRun() throws Exception {
    compareWithCsv(Shared.orSkip("qlib-run/data/orders/test_orders.pkl"));
  }

  private static void compareWithCsv(Path file) throws Exception {
    Table table = new PickleFormat().read(file, List.of());
    List<String> lines = Files.readAllLines(Shared.orSkip("qlib-run/data/orders/test_orders.csv"));

    var orders = new HashMap<String, Float>();
    for (int row = 0; row < table.rows(); row++) {
      String key = values(table, "date").get(row) + "," + values(table, "instrument").get(row);
      orders.put(key, (float) table.number("amount", row));
      assertThat(table.number("order_type", row)).isZero();
    }
    assertThat(lines).hasSizeGreaterThan(50);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      Float amount = orders.remove(cells[0] + " 00:00:00," + cells[1]);
      assertThat(amount).isEqualTo(Float.parseFloat(cells[2]));
    }
    // Only the pickles of pandas 2 and 3 still hold the last day, which cannot be traded.
    assertThat(orders.keySet()).allMatch(key -> key.startsWith("2021-04-23"));
  }

  private static Table read(String name) {
    return new PickleFormat().read(FOLDER.resolve(name + ".pkl"), List.of());
  }

  private static List<Table> both(String writer, String name) {
    return List.of(read(writer + "_" + name + "_p4"), read(writer + "_" + name + "_p5"));
  }

  static List<@Nullable Object> values(Table table, String name) {
    var values = new ArrayList<@Nullable Object>();
    for (int row = 0; row < table.rows(); row++) {
      values.add(
          switch (table.column(name)) {
            case Table.Numbers numbers -> numbers.value(row);
            case Table.Singles singles -> (double) singles.value(row);
            case Table.Texts texts -> texts.value(row);
            case Table.Times times ->
                times.value(row) == Table.Times.MISSING ? null : BarTime.format(times.value(row));
            case null -> throw new AssertionError("no column " + name);
          });
    }
    return values;
  }
}
