package io.tranche.market.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.pickle.HandlerPickle;
import io.tranche.market.pickle.PickleFormat;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderGeneratorTest {

  @Test
  void reproducesEveryOrderOfARealRunToTheLastBit() throws IOException {
    Path folder = Shared.orSkip("qlib-run/data");
    List<String> stocks =
        Files.readAllLines(folder.resolve("bin/instruments/all.txt")).stream()
            .map(line -> line.split("\t", -1)[0])
            .toList();
    var frames = new TreeMap<String, Table>();
    for (String stock : stocks) {
      Path file = folder.resolve("pickle/backtest/" + stock + ".pkl");
      if (Files.exists(file)) {
        frames.put(stock, HandlerPickle.read(file).frame());
      }
    }
    Table standIn = Objects.requireNonNull(frames.firstEntry()).getValue();
    var split = new OrderSplit(LocalDate.of(2021, 3, 12), LocalDate.of(2021, 4, 2));

    List<DayOrder> orders =
        QlibOrderGenerator.DEFAULT.generate(stocks, stock -> frames.getOrDefault(stock, standIn));

    for (String stock : frames.keySet()) {
      List<DayOrder> ours =
          orders.stream().filter(order -> order.instrument().equals(stock)).toList();
      for (Tag tag : List.of(Tag.TRAIN, Tag.VALID, Tag.TEST)) {
        String name =
            "orders/%s/%s.pkl.target".formatted(tag.name().toLowerCase(Locale.ROOT), stock);
        Table theirs = new PickleFormat().read(folder.resolve(name), List.of());
        List<DayOrder> part = split.part(ours, tag);
        assertThat(part).hasSize(theirs.rows());
        for (int row = 0; row < theirs.rows(); row++) {
          assertThat(BarTime.of(part.get(row).date())).isEqualTo(theirs.time("date", row));
          assertThat(part.get(row).amount()).isEqualTo(theirs.number("amount", row));
          assertThat(part.get(row).meanClose()).isEqualTo(theirs.number("$close0", row));
        }
      }
    }
  }

  @Test
  void takesAnUntouchedFolderOfPickles(@TempDir Path folder) throws IOException {
    var frames = new TreeMap<String, Table>();
    for (String stock : List.of("S1", "S2", "S3", "S4")) {
      frames.put(stock, stock.equals("S3") ? frame(stock, 0) : frame(stock, 48));
      new HandlerPickle(
              HandlerPickle.PRICES,
              48,
              List.of("$close", "$volume"),
              "5min",
              List.of("$close", "$volume"),
              List.of("$close0", "$volume0"),
              List.of(new HandlerPickle.Segment("all", "2021-03-01", "2021-03-02")),
              frames.get(stock))
          .write(folder.resolve(stock + ".pkl"), Map.of());
    }
    Files.writeString(folder.resolve("tmp_dataset.pkl"), "no rows");

    List<DayOrder> orders = QlibOrderGenerator.DEFAULT.generate(folder);

    assertThat(QlibOrderGenerator.isPickles(folder)).isTrue();
    assertThat(orders).hasSize(3).noneMatch(order -> order.instrument().equals("S3"));
    assertThat(orders)
        .isEqualTo(
            QlibOrderGenerator.DEFAULT.generate(
                List.copyOf(frames.keySet()), stock -> Objects.requireNonNull(frames.get(stock))));
    // As bars, for orders by our own rule.
    try (BarSource bars = BarFiles.open(folder, ColumnMapping.DEFAULT)) {
      assertThat(bars.instruments()).containsExactly("S1", "S2", "S4");
    }
    for (String stock : List.of("S1", "S2", "S4")) {
      Files.delete(folder.resolve(stock + ".pkl"));
    }
    assertThatThrownBy(() -> BarFiles.open(folder, ColumnMapping.DEFAULT))
        .isInstanceOf(DataException.class)
        .hasMessage(folder + ": expected bars of at least one instrument, was none");
  }

  private static Table frame(String stock, int rows) {
    long start = BarTime.of(LocalDate.of(2021, 3, 1));
    long[] times = new long[rows];
    float[] closes = new float[rows];
    float[] volumes = new float[rows];
    for (int row = 0; row < rows; row++) {
      times[row] = start + 34_200 + 300L * row;
      closes[row] = 10 + row;
      volumes[row] = 1000 + row;
    }
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("instrument", new Table.Texts(new String[] {stock}, new int[rows]));
    columns.put("datetime", new Table.Times(times));
    columns.put("$close0", new Table.Singles(closes));
    columns.put("$volume0", new Table.Singles(volumes));
    return Table.of(columns);
  }

  @Test
  void drawsEachOrderFromSeedInstrumentAndDateAlone() {
    BarSource both = source("A", "B");
    OrderGenerator generator = OrderGenerator.DEFAULT.withSeed(7);

    List<DayOrder> orders = generator.generate(both);

    assertThat(orders).hasSize(400);
    assertThat(generator.generate(source("B")))
        .isEqualTo(orders.stream().filter(order -> order.instrument().equals("B")).toList());
    assertThat(generator.generate(both)).isEqualTo(orders);
    assertThat(OrderGenerator.DEFAULT.withSeed(8).generate(both)).isNotEqualTo(orders);
    assertThat(orders.stream().filter(order -> order.side() == Side.BUY).count())
        .isBetween(150L, 250L);
    double meanLog =
        orders.stream()
            .mapToDouble(order -> Math.log(order.amount() / 400))
            .average()
            .orElseThrow();
    assertThat(meanLog).isCloseTo(Math.log(0.01), within(0.2));
    assertThat(orders.getFirst().meanClose()).isEqualTo(10);
  }

  @Test
  void takesSizesFromTheDayTheWindowABarOrMoney() {
    OrderGenerator exact =
        OrderGenerator.DEFAULT.withWindows(List.of(DayWindow.parse("09:35-09:45")));

    assertThat(firstAmount(exact.withSize(0.1, OrderGenerator.Unit.DAY, 0))).isEqualTo(40);
    assertThat(firstAmount(exact.withSize(0.1, OrderGenerator.Unit.WINDOW, 0))).isEqualTo(20);
    assertThat(firstAmount(exact.withSize(0.1, OrderGenerator.Unit.BAR, 0))).isEqualTo(10);
    assertThat(firstAmount(exact.withSize(500, OrderGenerator.Unit.MONEY, 0))).isEqualTo(50);
  }

  private static double firstAmount(OrderGenerator generator) {
    return generator.generate(source("A")).getFirst().amount();
  }

  @Test
  void makesOrdersForEachWindowNumberAndSide() {
    OrderGenerator generator =
        OrderGenerator.DEFAULT
            .withWindows(List.of(DayWindow.parse("09:30-09:40"), DayWindow.parse("09:40-15:00")))
            .withPerDay(2)
            .withSides(OrderGenerator.Sides.BOTH);

    List<DayOrder> day = generator.generate(source("A")).subList(0, 8);

    assertThat(day).extracting(DayOrder::date).containsOnly(LocalDate.of(2021, 1, 1));
    assertThat(day)
        .extracting(order -> Objects.requireNonNull(order.times()).toString())
        .containsExactly(
            times("09:30", "09:40"),
            times("09:30", "09:40"),
            times("09:30", "09:40"),
            times("09:30", "09:40"),
            times("09:40", "09:50"), // the day's bars end there
            times("09:40", "09:50"),
            times("09:40", "09:50"),
            times("09:40", "09:50"));
    assertThat(day)
        .extracting(DayOrder::side)
        .containsExactly(
            Side.BUY, Side.SELL, Side.BUY, Side.SELL, Side.BUY, Side.SELL, Side.BUY, Side.SELL);
    assertThat(day.stream().map(DayOrder::amount).distinct()).hasSize(4);
    assertThat(generator.withSides(OrderGenerator.Sides.SELL).generate(source("A")))
        .extracting(DayOrder::side)
        .containsOnly(Side.SELL);
    assertThat(DayOrder.table(day).names()).contains("start", "end");
    assertThat(
            OrderGenerator.DEFAULT
                .withWindows(List.of(DayWindow.parse("21:00-02:30")))
                .generate(source("A")))
        .isEmpty();
  }

  private static String times(String start, String end) {
    LocalDate day = LocalDate.of(2021, 1, 1);
    return new DayOrder.Times(day.atTime(LocalTime.parse(start)), day.atTime(LocalTime.parse(end)))
        .toString();
  }

  @Test
  void refusesWhatIsNoWindowOrSize() {
    for (String text : List.of("10:00", "10:00-10:00", "10-11", "", "10:00-25:00", "a-b")) {
      assertThatThrownBy(() -> DayWindow.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("window must");
    }
    assertThat(DayWindow.parse(" 21:00 - 02:30 ").toString()).isEqualTo("21:00-02:30");
    assertThat(DayWindow.parse("21:00-02:30").contains(1)).isTrue();
    assertThat(DayWindow.parse("21:00-02:30").contains(3 * 3600)).isFalse();
    assertThatThrownBy(() -> OrderGenerator.DEFAULT.withSize(0, OrderGenerator.Unit.DAY, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OrderGenerator.DEFAULT.withPerDay(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void makesNoOrderOnADayWithoutTrading() {
    float nan = Float.NaN;
    BarSource source =
        source(
            4,
            Map.of(
                "A",
                new float[][] {
                  {10, 10, 10, 10, nan, nan, nan, nan, 10, 10, nan, 10},
                  {5, 5, 5, 5, nan, nan, nan, nan, 0, 8, nan, 4}
                }));

    List<DayOrder> orders = OrderGenerator.DEFAULT.generate(source);

    assertThat(orders)
        .extracting(DayOrder::date)
        .containsExactly(LocalDate.of(2021, 1, 1), LocalDate.of(2021, 1, 3));
    // Qlib's rule turns the whole stock away.
    assertThat(new QlibOrderGenerator(1234, 0, 4, 100).generate(source)).isEmpty();
  }

  @Test
  void followsQlibInOrderStopAndRejection() {
    BarSource source = source("D", "A", "C", "B");

    List<DayOrder> two = new QlibOrderGenerator(1234, 0, 3, 2).generate(source);

    assertThat(two.stream().map(DayOrder::instrument).distinct()).hasSize(2);
    assertThat(two).hasSize(400).allMatch(order -> order.side() == Side.SELL);
    assertThat(two.subList(0, 200).stream().map(DayOrder::amount).distinct()).hasSize(1);
    assertThatThrownBy(() -> QlibOrderGenerator.DEFAULT.generate(source))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("2021-01-01: expected at least 47 bars per day, was 4");
  }

  @Test
  void splitsByDatesOrShares() {
    Calendar calendar = source("A").calendar();
    List<DayOrder> orders = OrderGenerator.DEFAULT.generate(source("A"));

    OrderSplit split = OrderSplit.byShares(calendar, 0.6, 0.2);

    assertThat(split.part(orders, Tag.TRAIN)).hasSize(120);
    assertThat(split.part(orders, Tag.VALID)).hasSize(40);
    assertThat(split.part(orders, Tag.TEST)).hasSize(40);
    assertThat(split.part(orders, Tag.ALL)).isEqualTo(orders);
    assertThat(OrderSplit.QLIB.tag(LocalDate.of(2021, 6, 30))).isEqualTo(Tag.TRAIN);
    assertThat(OrderSplit.QLIB.tag(LocalDate.of(2021, 7, 1))).isEqualTo(Tag.VALID);
    assertThat(OrderSplit.QLIB.tag(LocalDate.of(2021, 9, 30))).isEqualTo(Tag.VALID);
    assertThat(OrderSplit.QLIB.tag(LocalDate.of(2021, 10, 1))).isEqualTo(Tag.TEST);
    assertThatThrownBy(() -> OrderSplit.byShares(calendar, 0.9, 0.2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static BarSource source(String... names) {
    var columns = new LinkedHashMap<String, float[][]>();
    for (String name : names) {
      float[] closes = new float[800];
      float[] volumes = new float[800];
      Arrays.fill(closes, 10);
      Arrays.fill(volumes, 100);
      columns.put(name, new float[][] {closes, volumes});
    }
    return source(4, columns);
  }

  /// Days of `bars` five-minute bars from 2021-01-01 on.
  private static BarSource source(int bars, Map<String, float[][]> columns) {
    int rows = columns.values().iterator().next()[0].length;
    long[] times = new long[rows];
    for (int i = 0; i < rows; i++) {
      times[i] =
          BarTime.of(LocalDate.of(2021, 1, 1).plusDays(i / bars)) + 34_200 + 300L * (i % bars);
    }
    Calendar calendar = Calendar.of(Frequency.ofMinutes(5), times);
    List<String> fields = List.of("close", "volume");
    return new BarSource() {
      @Override
      public Calendar calendar() {
        return calendar;
      }

      @Override
      public List<String> instruments() {
        return new ArrayList<>(columns.keySet());
      }

      @Override
      public List<String> fields() {
        return fields;
      }

      @Override
      public BarSeries series(String instrument) {
        return BarSeries.wrap(
            instrument, calendar, 0, fields, Objects.requireNonNull(columns.get(instrument)));
      }
    };
  }
}
