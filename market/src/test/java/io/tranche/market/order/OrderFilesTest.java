package io.tranche.market.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.pipeline.FeatureFiles;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderFilesTest {

  private static final LocalTime OPEN = LocalTime.of(9, 30);
  private static final LocalTime CLOSE = LocalTime.of(15, 0);
  private static final Path PICKLES = Shared.root().resolve("market/src/test/resources/pickle");

  @Test
  void readsAFileAndAFolderInTheOrderOfNames(@TempDir Path folder) throws Exception {
    Path file = PICKLES.resolve("pandas2_orders_p5.pkl");
    Files.copy(file, folder.resolve("b.pkl.target"));
    Files.copy(file, folder.resolve("a.pkl"));
    Files.writeString(folder.resolve(".hidden"), "x");

    List<Order> orders = OrderFiles.read(file, OPEN, CLOSE);

    assertThat(orders).hasSize(3);
    assertThat(orders.get(1))
        .isEqualTo(
            new Order(
                "S1",
                Side.BUY,
                250.5,
                LocalDateTime.of(2021, 3, 2, 9, 30),
                LocalDateTime.of(2021, 3, 2, 15, 0)));
    assertThat(OrderFiles.read(folder, OPEN, CLOSE)).hasSize(6);
    assertThat(OrderFiles.loadOrders(folder)).hasSize(6);
  }

  @Test
  void readsBackWhatItMakesATableOf() {
    List<Order> orders =
        List.of(
            order("A", Side.BUY, 1.5, "2021-03-01T09:30", "2021-03-01T10:00"),
            order("B", Side.SELL, 2, "2021-03-01T21:00", "2021-03-02T02:30"));

    Table table = OrderFiles.table(orders);

    assertThat(OrderFiles.orders("t", table, OPEN, CLOSE)).isEqualTo(orders);
  }

  @Test
  void understandsEverySpellingOfSideDateAndTimes() {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("datetime", Table.Texts.of("2021-03-01", "2021-03-01 10:00:00"));
    columns.put("instrument", new Table.Numbers(new double[] {600000, 600007}));
    columns.put("side", Table.Texts.of(" Buy", "SELL"));
    columns.put("amount", new Table.Singles(new float[] {1, 2}));
    columns.put("start", Table.Texts.of("09:45", "2021-03-01 09:50:00"));

    List<Order> orders = OrderFiles.orders("t", Table.of(columns), OPEN, CLOSE);

    assertThat(orders)
        .containsExactly(
            order("600000", Side.BUY, 1, "2021-03-01T09:45", "2021-03-01T15:00"),
            order("600007", Side.SELL, 2, "2021-03-01T09:50", "2021-03-01T15:00"));
  }

  @Test
  void refusesWrongValuesWithFileRowRuleAndValue() {
    refuses(
        "amount",
        new Table.Numbers(new double[] {1, 0}),
        "f.csv: row 2: expected a positive amount, was 0.0");
    refuses(
        "amount",
        new Table.Numbers(new double[] {Double.NaN, 1}),
        "row 1: expected a positive amount, was NaN");
    refuses(
        "order_type",
        new Table.Numbers(new double[] {0, 2}),
        "row 2: expected 0 (sell) or 1 (buy) in order_type, was 2.0");
    refuses("order_type", new Table.Numbers(new double[] {0.9, 1}), "was 0.9");
    refuses(
        "order_type",
        Table.Texts.of("buy", "hold"),
        "row 2: expected buy or sell in order_type, was hold");
    refuses(
        "date", Table.Texts.of("2021-03-01", "March"), "row 2: expected a date or time in date");
    refuses("date", new Table.Numbers(new double[] {1, 2}), "dates or times in date");
    refuses("instrument", Table.Texts.of("A", null), "row 2: expected a text in instrument");
    refuses("amount", Table.Texts.of("1", "2"), "numbers in amount");
    refuses("end", Table.Texts.of("09:00", "09:00"), "end must not be before start");
    refuses("datetime", Table.Texts.of("2021-03-01", "2021-03-01"), "one of [date, datetime]");
  }

  @Test
  void namesOrdersByIdOrNumberAndTakesTheirDateFromTheirTimes(@TempDir Path folder)
      throws IOException {
    String rows =
        """
        id,instrument,side,amount,start,end
        x,A,sell,5,2021-03-01 09:30:00,2021-03-01 10:00:00
        7,B,buy,6,2021-03-02 09:30:00,2021-03-02 10:00:00
        """;
    Path named = Files.writeString(folder.resolve("named.csv"), rows);
    Path numbered =
        Files.writeString(folder.resolve("numbered.csv"), rows.replaceAll("(?m)^[^,]*,", ""));

    List<NamedOrder> orders = OrderFiles.readNamed(named, OPEN, CLOSE);

    assertThat(orders).extracting(NamedOrder::id).containsExactly("x", "7");
    assertThat(orders.getLast().order().date()).isEqualTo("2021-03-02");
    assertThat(orders.getLast().place()).isEqualTo(named + ": row 2");
    assertThat(OrderFiles.readNamed(numbered, OPEN, CLOSE))
        .extracting(NamedOrder::id)
        .containsExactly("1", "2");
  }

  @Test
  void readsTheOtherRowsAndNamesEveryBadOne(@TempDir Path folder) throws IOException {
    var rows = new StringBuilder("instrument,side,amount,date\nA,sell,5,2021-03-01\n");
    rows.append("A,hold,5,2021-03-01\nA,buy,many,2021-03-01\nA,buy,5,March\n");
    rows.append("A,buy,-1,2021-03-01\n".repeat(20)).append("B,buy,6,2021-03-02\n");
    Path file = Files.writeString(folder.resolve("o.csv"), rows);

    ReadOrders read = OrderFiles.readRows(file, TradingDays.between(OPEN, CLOSE));

    assertThat(read.orders()).extracting(NamedOrder::id).containsExactly("1", "25");
    assertThat(read.faults()).hasSize(23);
    assertThatThrownBy(() -> OrderFiles.read(file, OPEN, CLOSE))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith(
            "orders: expected orders that can be read, was 23 of 25 rows that cannot:")
        .hasMessageContaining("row 2: expected buy or sell in side, was hold")
        .hasMessageContaining("row 3: expected a number in amount, was many")
        .hasMessageContaining("row 4: expected a date or time in date")
        .hasMessageEndingWith("and 3 more");
  }

  @Test
  void refusesTimesWithAnOffset(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("o.csv"),
            "instrument,side,amount,date\nA,sell,5,2021-03-01T09:30:00Z\n");

    assertThatThrownBy(() -> OrderFiles.read(file, OPEN, CLOSE))
        .isInstanceOf(DataException.class)
        .hasMessage(
            file
                + ": expected times of the exchange in date, or a session with a zone (data.session,"
                + " --session) to convert them, was times with an offset");
  }

  @Test
  void convertsTimesWithAnOffsetToTheExchangesClock(@TempDir Path folder) throws IOException {
    // A day before and a day after New York changes to summer time, and one row as it is.
    Path file =
        Files.writeString(
            folder.resolve("o.csv"),
            """
            instrument,side,amount,start,end
            A,sell,5,2024-03-08T14:30:00Z,2024-03-08T15:30:00Z
            A,sell,5,2024-03-11T13:30:00Z,2024-03-11 22:30:00+08:00
            A,sell,5,2024-03-12 09:30:00,2024-03-12 10:30:00
            """);
    TradingDays newYork = TradingDays.of(_ -> Session.US_STOCKS);

    List<Order> orders = OrderFiles.read(file, newYork);

    assertThat(orders)
        .containsExactly(
            order("A", Side.SELL, 5, "2024-03-08T09:30", "2024-03-08T10:30"),
            order("A", Side.SELL, 5, "2024-03-11T09:30", "2024-03-11T10:30"),
            order("A", Side.SELL, 5, "2024-03-12T09:30", "2024-03-12T10:30"));
  }

  private static void refuses(String column, Table.Column values, String message) {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("date", Table.Texts.of("2021-03-01", "2021-03-02"));
    columns.put("instrument", Table.Texts.of("A", "B"));
    columns.put("amount", new Table.Numbers(new double[] {1, 2}));
    columns.put("order_type", new Table.Numbers(new double[] {0, 1}));
    columns.put(column, values);

    assertThatThrownBy(() -> OrderFiles.orders("f.csv", Table.of(columns), OPEN, CLOSE))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void mergesAFolderWithoutTheCloseAsQlibDid() {
    Table merged = OrderFiles.merge(Shared.orSkip("qlib-run/data/orders/test"));
    Path file = Shared.orSkip("qlib-run/pickles/orders_pandas2_p4.pkl");

    assertThat(merged.names()).containsExactly("date", "instrument", "amount", "order_type");
    assertThat(merged.column("amount")).isInstanceOf(Table.Singles.class);
    assertThat(OrderFiles.orders("merged", merged, OPEN, CLOSE))
        .containsExactlyInAnyOrderElementsOf(asFloats(OrderFiles.read(file, OPEN, CLOSE)));
  }

  private static List<Order> asFloats(List<Order> orders) {
    return orders.stream()
        .map(o -> new Order(o.instrument(), o.side(), (float) o.amount(), o.start(), o.end()))
        .toList();
  }

  @Test
  void refusesToMergeDifferentColumns(@TempDir Path folder) throws Exception {
    Files.copy(PICKLES.resolve("pandas2_orders_p5.pkl"), folder.resolve("a.pkl"));
    Files.copy(PICKLES.resolve("pandas2_backtest_p5.pkl"), folder.resolve("b.pkl"));

    assertThatThrownBy(() -> OrderFiles.merge(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("b.pkl: expected the columns [date, instrument, amount, order_type]");
    assertThatThrownBy(() -> OrderFiles.read(folder.resolve("none"), OPEN, CLOSE))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("none");
    Files.writeString(folder.resolve("c.doc"), "x");
    assertThatThrownBy(() -> OrderFiles.read(folder.resolve("c.doc"), OPEN, CLOSE))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("pickle");
  }

  @Test
  void readsEveryOrderFileOfARealRun() {
    for (String tag : List.of("train", "valid", "test")) {
      Path folder = Shared.orSkip("qlib-run/data/orders/" + tag);

      List<Order> orders = OrderFiles.read(folder, OPEN, CLOSE);

      assertThat(orders).hasSizeGreaterThan(50).allMatch(order -> order.side() == Side.SELL);
      assertThat(OrderFiles.loadOrders(folder, OPEN, CLOSE)).isEqualTo(orders);
    }
  }

  @Test
  void takesTheTicksOfTheFirstOrderForAll() {
    Path folder = Shared.orSkip("qlib-run/data/pickle");
    Path orders = Shared.orSkip("qlib-run/data/orders/test");

    LazyOrders.Ticks ticks =
        LazyOrders.ticksOf(FeatureFiles.open(folder, FeatureColumns.NONE, true, 1));
    LazyOrders lazy = LazyOrders.open(orders, ticks, 0, 47);

    assertThat(lazy.size()).isEqualTo(60);
    assertThat(lazy.order(3).start().toLocalTime()).isEqualTo(LocalTime.of(9, 30));
    assertThat(lazy.order(59).end().toLocalTime()).isEqualTo(LocalTime.of(14, 51));
    assertThatThrownBy(() -> LazyOrders.open(orders, ticks, 0, 49).order(0))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("at least 49 ticks, was 48");
  }

  private static Order order(String stock, Side side, double amount, String start, String end) {
    return new Order(stock, side, amount, LocalDateTime.parse(start), LocalDateTime.parse(end));
  }
}
