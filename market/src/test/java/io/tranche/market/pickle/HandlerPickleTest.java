package io.tranche.market.pickle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerPickleTest {

  private static final Path FOLDER = Shared.root().resolve("market/src/test/resources/pickle");

  @ParameterizedTest
  @ValueSource(strings = {"pandas15", "pandas2", "pandas3", "pandas3arrow"})
  void readsTheLayoutOfHandlerPickles(String writer) {
    HandlerPickle feature = HandlerPickle.read(FOLDER.resolve(writer + "_handler_feature_p4.pkl"));
    HandlerPickle prices = HandlerPickle.read(FOLDER.resolve(writer + "_handler_prices_p5.pkl"));

    assertThat(feature.handler()).endsWith("HighFreqGeneralHandler");
    assertThat(prices.handler()).endsWith("HighFreqGeneralBacktestHandler");
    assertThat(prices.dayLength()).isEqualTo(4);
    assertThat(prices.segments())
        .containsExactly(
            new HandlerPickle.Segment("train", "2021-03-01", "2021-03-01"),
            new HandlerPickle.Segment("test", "2021-03-02", "2021-03-02"));
    assertThat(prices.names()).containsExactly("$close0", "$volume0");
    assertThat(PandasFramesTest.values(prices.frame(), "$close0"))
        .isEqualTo(PandasFramesTest.values(feature.frame(), "$close0"))
        .startsWith(1.0, 2.0)
        .hasSize(8);
  }

  @Test
  void refusesAPickleOfSomethingElse() {
    assertThatThrownBy(() -> HandlerPickle.read(FOLDER.resolve("pandas2_orders_p5.pkl")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected an object of qlib.data.dataset.DatasetH")
        .hasMessageContaining("pandas.core.frame.DataFrame");
  }

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
