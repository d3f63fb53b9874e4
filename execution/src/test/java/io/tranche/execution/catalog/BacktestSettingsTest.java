package io.tranche.execution.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.PriceLimit;
import io.tranche.backtest.exchange.VolumeLimit;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import io.tranche.market.store.QlibRegion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacktestSettingsTest {

  private static final String CONFIG =
      """
      start_time: 9:30
      end_time: 14:54
      data_granularity: 5min
      exchange:
        limit_threshold: ['$ask == 0', '$bid == 0']
        deal_price: ['$ask', '$bid']
        volume_threshold:
          all: ['cum', "0.2 * DayCumsum($volume, '9:30', '14:29', 5)"]
          sell: ['current', '$bidV1']
        cash_limit: 1000
      strategies:
        30min:
          class: TWAPStrategy
          module_path: qlib.contrib.strategy.rule_strategy
        1day:
          class: SAOEIntStrategy
          module_path: qlib.rl.order_execution.strategy
          kwargs:
            data_granularity: 5
            policy: {class: AllOne, kwargs: {fill_value: 1.0}}
            state_interpreter: {class: DummyStateInterpreter}
            action_interpreter: {class: TwapRelativeActionInterpreter}
      """;

  private static final BarSource NO_BARS =
      new BarSource() {
        @Override
        public Calendar calendar() {
          return Calendar.of(Frequency.ofMinutes(5), new long[0]);
        }

        @Override
        public List<String> instruments() {
          return List.of();
        }

        @Override
        public List<String> fields() {
          return List.of();
        }

        @Override
        public BarSeries series(String instrument) {
          throw new IllegalStateException("nobody reads bars here");
        }
      };

  private static final Catalog<Strategy.Factory> STRATEGIES =
      ExecutionCatalog.strategies(
          StrategySources.of(NO_BARS, _ -> (_, _, _, _) -> (_, _) -> Double.NaN));

  private static BacktestConfig read(String text, boolean apart) {
    return BacktestSettings.qlib(ConfigFiles.parse("backtest.yml", text), apart, STRATEGIES);
  }

  @Test
  void readsQlibsFiles() {
    BacktestConfig config = read(CONFIG, false);

    ExchangeConfig exchange = config.exchange();
    assertThat(exchange.buyPrice()).isEqualTo("$ask");
    assertThat(exchange.sellPrice()).isEqualTo("$bid");
    assertThat(exchange.priceLimit()).isEqualTo(new PriceLimit.Flags("$ask == 0", "$bid == 0"));
    assertThat(exchange.volumeLimits())
        .extracting(VolumeLimit::side)
        .containsExactly(null, Side.SELL);
    assertThat(exchange.tradeUnit()).isEqualTo(100);
    assertThat(exchange.costs().minimum()).isEqualTo(5);
    assertThat(config.executor().levels())
        .extracting(level -> level.name())
        .containsExactly("1day", "30min");
    assertThat(config.executor().leaf()).isEqualTo(Frequency.ofMinutes(5));
    assertThat(config.executor().buysFirst()).isTrue();
    assertThat(config.accounts().get()).isInstanceOf(Account.Limited.class);
    assertThat(config.benchmark()).isEqualTo("SH000300");
  }

  @Test
  void ignoresTheCashLimitWhereOrdersAreRunApart() {
    assertThat(read(CONFIG, true).accounts().get()).isInstanceOf(Account.Unlimited.class);
  }

  @Test
  void takesTheRegionsDefaultsForSilence() {
    ExchangeConfig exchange =
        ExchangeSettings.qlib(ConfigFiles.parse("exchange", "limit_threshold: null"));

    assertThat(exchange.priceLimit()).isEqualTo(new PriceLimit.Change(0.095));
    assertThat(exchange.buyPrice()).isEqualTo("$close");
    ConfigNode silent = ConfigFiles.parse("exchange", "{}");
    assertThat(ExchangeSettings.qlib(silent, QlibRegion.US).priceLimit())
        .isEqualTo(new PriceLimit.None());
    assertThat(ExchangeSettings.qlib(silent, QlibRegion.TW).priceLimit())
        .isEqualTo(new PriceLimit.Change(0.1));
    assertThat(ExchangeSettings.qlib(silent, QlibRegion.TW).tradeUnit()).isEqualTo(1000);
    assertThat(read(CONFIG + "qlib: {region: us}\n", false).exchange().tradeUnit()).isEqualTo(100);
  }

  @Test
  void aNumberIsAGranularityInMinutes() {
    assertThat(BacktestSettings.granularity(ConfigFiles.parse("b", "data_granularity: 15")))
        .isEqualTo(Frequency.ofMinutes(15));
    assertThatThrownBy(
            () -> BacktestSettings.granularity(ConfigFiles.parse("b", "data_granularity: 0")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("data_granularity: expected");
  }

  @Test
  void makesEveryStrategyThatNeedsNoSettings() {
    List<String> names =
        List.of(
            "TWAPStrategy",
            "TwapStrategy",
            "SBBStrategyEMA",
            "PairStrategy",
            "ACStrategy",
            "TwapBaseline",
            "ImmediateBaseline");

    assertThat(STRATEGIES.components()).extracting(Component::name).containsAll(names);
    for (String name : names) {
      assertThat(
              STRATEGIES
                  .make(ComponentSpec.from(ConfigFiles.parse("strategy", "class: " + name)))
                  .create())
          .isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          start_time: 9:30      | start_time: noon        | a time of day
          end_time: 14:54       | end_time: 9:00          | a time after start_time
          data_granularity: 5min| data_granularity: five  | a frequency
          'cum',                | 'total',                | current or cum
          cash_limit: 1000      | cash_limit: -1          | at least 0
          cash_limit: 1000      | cashlimit: 1            | cashlimit
          1day:                 | 2hours:                 | a frequency
          1day:                 | 60min:                  | 1day
          TWAPStrategy          | TWAP                    | TWAPStrategy
          """)
  void saysWhatIsWrong(String good, String bad, String message) {
    assertThatThrownBy(() -> read(CONFIG.replace(good, bad), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
