package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.ResultRow;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StrategySources;
import io.tranche.market.Order;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.store.QlibStore;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the real Qlib wrote for its own store, orders and configuration.
class QlibRunTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void givesTheRowsThatQlibWrote(boolean apart) throws IOException {
    Path folder = Shared.orSkip("qlib-run");
    ConfigNode config = ConfigFiles.load(folder.resolve("exp_configs/run_backtest_twap.yml"));
    QlibStore store =
        QlibStore.open(folder.resolve("data/bin"), BacktestSettings.granularity(config));
    var strategies =
        ExecutionCatalog.strategies(StrategySources.of(store, _ -> SignalSource.of(store)));
    var run =
        new BacktestRun(BacktestSettings.qlib(config, apart, strategies), QuoteSource.of(store));

    var rows = new ArrayList<ResultRow>();
    orders(folder, config)
        .forEach((instrument, orders) -> rows.addAll(run.run(instrument, orders).rows()));

    List<String> lines = Files.readAllLines(folder.resolve("expected/backtest_twap.csv"));
    assertThat(rows).hasSize(lines.size() - 1);
    for (int i = 0; i < rows.size(); i++) {
      String[] expected = lines.get(i + 1).split(",", -1);
      List<Object> was = List.copyOf(rows.get(i).record().values());
      assertThat(was.getFirst()).isEqualTo(expected[0]);
      assertThat(rows.get(i).time().toLocalDate()).hasToString(expected[1]);
      for (int column = 2; column < expected.length; column++) {
        double number = Double.parseDouble(expected[column]);
        assertThat((Double) was.get(column))
            .as("row %d, column %d", i, column)
            .isCloseTo(number, within(1e-9 * Math.abs(number)));
      }
    }
  }

  private static Map<String, List<Order>> orders(Path folder, ConfigNode config) {
    Path file = folder.resolve(config.required("order_file").asText()).normalize();
    List<Order> orders =
        OrderFiles.orders(
            file.toString(),
            OrderFiles.readOrderFile(file),
            BacktestSettings.time(config, "start_time"),
            BacktestSettings.time(config, "end_time"));
    return orders.stream()
        .collect(Collectors.groupingBy(Order::instrument, TreeMap::new, Collectors.toList()));
  }
}
