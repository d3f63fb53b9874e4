package io.tranche.execution.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatorComponentsTest {

  @TempDir private Path folder;

  private SimulatorSetup make(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("simulator.yml"), yaml);
    return ExecutionCatalog.simulators(1).make(ComponentSpec.from(ConfigFiles.load(file)));
  }

  @Test
  void qlibsNameMeansQlibsBehaviour() throws IOException {
    SimulatorSetup setup =
        make(
            """
            class: SingleAssetOrderExecutionSimple
            module_path: qlib.rl.order_execution.simulator_simple
            kwargs:
              ticks_per_step: 30
              data_granularity: 5
              vol_threshold: null
            """);

    assertThat(setup).isEqualTo(new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.QLIB));
  }

  @Test
  void theNativeNameMeansTheSoundOne() throws IOException {
    SimulatorSetup setup =
        make(
            """
            class: SimpleSimulator
            kwargs:
              minutes_per_step: 10
              excess: refuse
              participation: 0.1
              lot: 100
              price_limit: 0.095
              latency: 2
              costs: {buy: 0.0005, sell: 0.0015, minimum: 5}
              impact: {linear: 0.1, transient: {coefficient: 0.2, decay: 0.9}}
            """);

    assertThat(setup)
        .isEqualTo(
            new SimpleSimulatorConfig(
                10,
                1,
                new Frictions(
                    0.1,
                    100,
                    0.095,
                    2,
                    Costs.NONE
                        .withCommission(0.0005)
                        .withMinimum(5, Costs.Unit.FILL)
                        .withTaxes(0, 0.001)
                        .withImpacts(new Impact.Linear(0.1), new Impact.Transient(0.2, 0.9))),
                Dialect.NATIVE.withExcess(Dialect.Excess.REFUSE)));
    assertThat(make("class: SimpleSimulator")).isEqualTo(SimpleSimulatorConfig.DEFAULT);
    assertThat(make("class: SimpleSimulator\nkwargs: {data_granularity: 60}").minutesPerStep())
        .isEqualTo(60);
    assertThat(make("class: SimpleSimulator\nkwargs: {data_granularity: 7}").minutesPerStep())
        .isEqualTo(35);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{minutes_per_step: 32, data_granularity: 5}"
            + " | minutes_per_step: expected minutes_per_step to be a multiple of data_granularity, 5,"
            + " was 32",
        "{costs: mars} | costs: expected a word out of [cn_futures, cn_stocks, crypto, hk_stocks,"
            + " none, us_stocks], was 'mars'",
        "{costs: {minimum_per: day}}"
            + " | costs.minimum_per: expected a word out of [child, fill, parent], was 'day'",
        "{costs: {buy: 0.1, commission: 0.1}}"
            + " | costs.commission: expected no such key beside the old keys buy and sell, was 0.1",
        "{costs: {impact: {linear: 1}}, impact: {linear: 1}}"
            + " | impact: expected the impact in one place, here or in costs",
        "{minutes_per_step: 0} | minutes_per_step: expected an integer of at least 1, was 0",
        "{participation: -1} | participation: expected a number of at least 0.0, was -1",
        "{price_limit: 0} | price_limit: expected a positive number, was 0",
        "{excess: ignore} | excess: expected clip or refuse, was 'ignore'",
        "{costs: {buy: -1}} | costs.buy: expected a number of at least 0.0, was -1",
        "{impact: {transient: {coefficient: 1, decay: 2}}}"
            + " | impact.transient.decay: expected a number in [0.0, 1.0], was 2",
        "{impact: {transient: {coefficient: 1}}}"
            + " | impact.transient.decay: expected a value, was missing",
        "{lots: 100} | expected a key",
        "{latency: -1} | latency: expected an integer of at least 0, was -1"
      })
  void namesTheSettingThatIsWrong(String kwargs, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> make("class: SimpleSimulator\nkwargs: " + kwargs))
        .withMessageContaining("kwargs")
        .withMessageContaining(complaint);
  }
}
