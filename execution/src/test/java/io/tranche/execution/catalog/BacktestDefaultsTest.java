package io.tranche.execution.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacktestDefaultsTest {

  @Test
  void backtestsGetQlibsDefaults() {
    ConfigNode config =
        BacktestSettings.withDefaults(
            ConfigFiles.parse(
                "t", "exchange: {trade_unit: null, a: [[1]], b: {c: [2]}}\nconcurrency: 3"));
    ConfigNode exchange = config.required("exchange");

    assertThat(config.required("concurrency").asInt()).isEqualTo(3);
    assertThat(config.required("data_granularity").asText()).isEqualTo("1min");
    assertThat(exchange.required("trade_unit").isNull()).isTrue();
    assertThat(exchange.required("min_cost").scalar()).isEqualTo(5.0);
    assertThat(exchange.required("a").isTuple()).isTrue();
    assertThat(exchange.required("a").asList().getFirst().isTuple()).isFalse();
    assertThat(exchange.required("b").required("c").isTuple()).isTrue();
    for (String wrong :
        List.of(
            "a: 1",
            "exchange: null",
            "exchange: [1]",
            "exchange: {min_cost: {a: 1}}",
            "[1]",
            "exchange: {}\nconcurrency: {a: 1}")) {
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> BacktestSettings.withDefaults(ConfigFiles.parse("t", wrong)));
    }
  }
}
