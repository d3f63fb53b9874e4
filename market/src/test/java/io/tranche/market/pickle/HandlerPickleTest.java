package io.tranche.market.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Table;
import io.tranche.testkit.Shared;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerPickleTest {

  @ParameterizedTest
  @ValueSource(strings = {"SH600000", "SH600007", "SH600014", "SH600021"})
  void readsTheFeaturesOfARealRun(String stock) {
    HandlerPickle pickle =
        HandlerPickle.read(Shared.orSkip("qlib-run/data/pickle/feature/" + stock + ".pkl"));

    assertThat(pickle.handler()).endsWith(".HighFreqGeneralHandler");
    assertThat(pickle.dayLength()).isEqualTo(48);
    assertThat(pickle.frequency()).isEqualTo("5min");
    assertThat(pickle.columns()).containsExactly("$open", "$high", "$low", "$close");
    assertThat(pickle.names()).hasSize(10).contains("$open", "$close_1", "$volume_1");
    assertThat(pickle.expressions().getFirst()).startsWith("Cut(FFillNan(If(IsNull($open)");
    assertThat(pickle.frame().names()).startsWith("instrument", "datetime").hasSize(12);
    assertThat(pickle.frame().rows()).isEqualTo(3744);
    assertThat(PandasFramesTest.values(pickle.frame(), "instrument")).containsOnly(stock);
    assertThat(pickle.segments()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SH600000", "SH600007", "SH600014", "SH600021"})
  void readsTheBacktestPricesOfARealRun(String stock) {
    HandlerPickle pickle =
        HandlerPickle.read(Shared.orSkip("qlib-run/data/pickle/backtest/" + stock + ".pkl"));

    assertThat(pickle.names()).containsExactly("$close0", "$volume0");
    assertThat(pickle.frame().names())
        .containsExactly("instrument", "datetime", "$close0", "$volume0");
    assertThat(pickle.frame().column("$close0")).isInstanceOf(Table.Singles.class);
    assertThat(PandasFramesTest.values(pickle.frame(), "datetime")).doesNotHaveDuplicates();
  }
}
