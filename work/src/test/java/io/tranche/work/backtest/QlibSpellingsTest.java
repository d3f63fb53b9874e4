package io.tranche.work.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.market.order.OrderFiles;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Orders, files and settings as Qlib's users spell them.
class QlibSpellingsTest {

  private static final Path STORE = Shared.root().resolve("conformance/golden/dataset/bin_5min");

  private static final String ORDERS =
      """
      datetime,instrument,amount,direction
      2021-03-02,SH688001,700,0
      2021-03-01,SH600000,8000,1
      2021-03-02,SH600000,5000,0
      """;

  @TempDir Path folder;

  @Test
  void datesCodesAndSidesInOtherSpellingsAreTheSameOrders() throws IOException {
    List<String> usual = rows(config(write("orders.csv", ORDERS)));

    assertThat(usual).hasSize(4);
    for (String spelling :
        List.of(
            ORDERS.replace("2021-03-0", "2021030"),
            ORDERS.replace("2021-03-0", "2021/03/0"),
            ORDERS.replace("SH", "sh"),
            ORDERS.replace(",0\n", ",-1\n").replace(",1\n", ",2\n"),
            ORDERS.replace(",0\n", ",sell\n").replace(",1\n", ",Buy\n"))) {
      assertThat(rows(config(write("orders.csv", spelling)))).as(spelling).isEqualTo(usual);
    }
  }

  @Test
  void ordersWithATimeOfDayRun() throws IOException {
    List<String> usual = rows(config(write("orders.csv", ORDERS)));

    String timed = ORDERS.replace("-01,", "-01 09:30:00,").replace("-02,", "-02 09:30:00,");

    assertThat(rows(config(write("orders.csv", timed)))).isEqualTo(usual);
  }

  @Test
  void theFileNamedMayBeThereInAnotherForm() throws IOException {
    Path csv = write("orders.csv", ORDERS);
    List<String> usual = rows(config(csv));
    Path pickles = Files.createDirectory(folder.resolve("pickles"));
    OrderFiles.write(OrderFiles.readOrderFile(csv), pickles.resolve("orders.pkl"));
    Path named = Files.createDirectory(folder.resolve("other")).resolve("test_orders.pkl");

    assertThat(rows(config(pickles.resolve("orders.pkl")))).isEqualTo(usual);
    Files.copy(csv, named.resolveSibling("test_orders.csv"));
    assertThat(rows(config(named))).isEqualTo(usual);
    Path tag = Files.createDirectory(named.resolveSibling("test_orders"));
    Files.copy(csv, tag.resolve("all.csv"));
    assertThatThrownBy(() -> rows(config(named)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("test_orders.pkl: expected one order file of that name");
    Files.delete(named.resolveSibling("test_orders.csv"));
    assertThat(rows(config(named))).isEqualTo(usual);
  }

  @Test
  void aWindowBeforeTheOpenTradesTheFirstBar() throws IOException {
    ConfigNode early =
        config(write("orders.csv", ORDERS)).with("start_time='8:00'").with("end_time='9:20'");

    List<String> rows = rows(early);

    assertThat(rows).hasSize(4);
    for (String row : rows.subList(1, 4)) {
      String[] cells = row.split(",", -1);
      assertThat(cells[10]).as("base_volume").isEqualTo("1.0");
      assertThat(cells[11]).as("base_price").isEqualTo(cells[4]);
      assertThat(Double.parseDouble(cells[12])).as("pa").isZero();
    }
  }

  @Test
  void timesOfHalfADayAreTimes() throws IOException {
    Path orders = write("orders.csv", ORDERS);

    assertThat(rows(config(orders).with("start_time='9:30AM'").with("end_time='2:54 pm'")))
        .isEqualTo(rows(config(orders)));
  }

  @Test
  void aNegativePriceLimitBlocksAsInQlib() throws IOException {
    ConfigNode config = config(write("orders.csv", ORDERS)).with("exchange.limit_threshold=-0.5");

    assertThat(rows(config).subList(1, 4)).allMatch(row -> row.contains(",0.0"));
  }

  @Test
  void aTradeUnitOfZeroRoundsNothing() throws IOException {
    Path orders = write("orders.csv", ORDERS.replace("8000", "8000.5"));

    List<String> rows = rows(config(orders).with("exchange.trade_unit=0"));

    assertThat(rows).isEqualTo(rows(config(orders).with("exchange.trade_unit=null")));
    assertThat(rows).anyMatch(row -> row.contains(",8000.5,"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2day", "week"})
  void levelsLongerThanADayAreRefusedByName(String level) throws IOException {
    ConfigNode config =
        config(write("orders.csv", ORDERS))
            .with(
                "strategies={1day: {class: TWAPStrategy}, %s: {class: TWAPStrategy}}"
                    .formatted(level));

    assertThatThrownBy(() -> rows(config))
        .hasMessageContaining("expected a frequency of at most a day, such as 30min or 1day, was")
        .hasMessageContaining(level);
  }

  @Test
  void featureColumnsOfInitQlibAreNamedAsWithoutEffect() throws IOException {
    var said = new ArrayList<String>();
    ConfigNode config =
        config(write("orders.csv", ORDERS))
            .with("qlib.feature_root_dir=nowhere")
            .with("qlib.feature_columns_today=[$bid, $askV]");

    BacktestPlan.from(config, said::add);

    assertThat(said)
        .hasSize(2)
        .anyMatch(text -> text.contains("qlib.feature_columns_today: has no effect, as in Qlib"))
        .anyMatch(text -> text.contains("qlib.feature_root_dir: has no effect, as in Qlib"))
        .allMatch(text -> text.endsWith("come from its processed_data_provider"));
  }

  @Test
  void onlyTheInstrumentsOfSbbStrategyEmaHaveATrend() throws IOException {
    Path orders = write("orders.csv", ORDERS);

    List<String> all = rows(sbb(orders, "freq: 5min"));
    List<String> none = rows(sbb(orders, "freq: 5min, instruments: [SZ000001]"));
    List<String> one = rows(sbb(orders, "freq: 5min, instruments: [SH600000]"));

    assertThat(none).isNotEqualTo(all);
    assertThat(one.subList(1, 3)).isEqualTo(all.subList(1, 3));
    assertThat(one.get(3)).isEqualTo(none.get(3));
    assertThat(rows(sbb(orders, "freq: 5min, instruments: all"))).isEqualTo(all);
    assertThatThrownBy(() -> rows(sbb(orders, "freq: 5min, instruments: csi300")))
        .hasMessageContaining(
            "instruments: expected all, a list of codes, or a market of the store");
  }

  private ConfigNode sbb(Path orders, String kwargs) {
    return config(orders)
        .with("strategies.30min={class: SBBStrategyEMA, kwargs: {%s}}".formatted(kwargs));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static ConfigNode config(Path orders) {
    return ConfigFiles.parse(
        "backtest.yml",
        """
        order_file: %s
        start_time: "9:30"
        end_time: "14:54"
        data_granularity: 5min
        qlib: {provider_uri_5min: %s}
        exchange: {limit_threshold: null, deal_price: [$close, $close], volume_threshold: null}
        strategies:
          30min: {class: TWAPStrategy, module_path: qlib.contrib.strategy.rule_strategy, kwargs: {}}
          1day: {class: TWAPStrategy, module_path: qlib.contrib.strategy.rule_strategy, kwargs: {}}
        """
            .formatted(orders, STORE));
  }

  private List<String> rows(ConfigNode config) throws IOException {
    var options = BacktestOptions.DEFAULT.in(folder.resolve("out"));
    try (Backtest backtest = Backtest.open(config, options, _ -> {})) {
      BacktestOutcome outcome = backtest.run((_, _, _) -> {});
      return Files.readAllLines(outcome.result());
    }
  }
}
