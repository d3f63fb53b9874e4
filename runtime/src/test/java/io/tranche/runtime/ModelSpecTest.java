package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Session.Segment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelSpecTest {

  @Test
  void comesBackWhole() {
    ModelSpec spec = Bundles.spec(Session.CHINA_FUTURES);

    ModelSpec read = ModelSpec.from(ConfigFiles.parse("model.yml", spec.toYaml()));

    assertThat(read.toYaml()).isEqualTo(spec.toYaml());
    assertThat(read.session()).isEqualTo(Session.CHINA_FUTURES);
    assertThat(read.features()).isEqualTo(spec.features());
    assertThat(read.frequency()).isEqualTo(Frequency.MINUTE);
    assertThat(read.combination()).isEqualTo(spec.combination());
    assertThat(read.ticks()).isEqualTo(555);
  }

  @Test
  void aSessionOfOnesOwnComesBack() {
    var session =
        new Session(
            "my: \"own\" \u4e0a\u6d77\n", List.of(new Segment(-60, 60), new Segment(60, 90)));

    ModelSpec read = ModelSpec.from(ConfigFiles.parse("model.yml", Bundles.spec(session).toYaml()));

    assertThat(read.session()).isEqualTo(session);
  }

  @Test
  void sessionsAndFrictionsComeBack() {
    Frictions frictions =
        Frictions.NONE
            .withParticipation(0.1)
            .withLot(100)
            .withPriceLimit(0.095)
            .withLatency(2)
            .withCosts(
                Costs.preset("cn_stocks")
                    .withImpacts(new Impact.SquareRoot(0.3), new Impact.Transient(0.1, 0.9)));
    ModelSpec spec =
        Bundles.spec(Session.CHINA_STOCKS)
            .withSessions(
                new TreeMap<>(
                    Map.of(
                        "CU", Session.CHINA_FUTURES,
                        "X", Session.parse("09:30-16:00; early 2024-07-03 13:00"),
                        "SH600000", Session.CHINA_STOCKS)))
            .withFrictions(frictions);

    ModelSpec read = ModelSpec.from(ConfigFiles.parse("model.yml", spec.toYaml()));

    assertThat(read.sessions()).containsOnlyKeys("CU", "X").isEqualTo(spec.sessions());
    assertThat(read.session("CU")).isEqualTo(Session.CHINA_FUTURES);
    assertThat(read.session("SH600000")).isEqualTo(Session.CHINA_STOCKS);
    assertThat(read.frictions()).isEqualTo(frictions);
    assertThat(read.ticks()).isEqualTo(555);
  }

  @Test
  void wrongFrictionsAreNamed() {
    String yaml = Bundles.spec(Session.CHINA_STOCKS).toYaml() + "frictions: {lots: 1}\n";

    assertThatThrownBy(() -> ModelSpec.from(ConfigFiles.parse("model.yml", yaml)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("frictions: expected a key");
  }

  @Test
  void versionOneHadOneSessionAndNoFrictions() {
    String old =
        Bundles.spec(Session.CHINA_STOCKS)
            .toYaml()
            .replace(
                "session: cn_stocks",
                "session: {name: cn_stocks, segments: [[34200, 41400], [46800, 54000]]}");

    ModelSpec read = ModelSpec.from(ConfigFiles.parse("model.yml", old));

    assertThat(read.session()).isEqualTo(Session.CHINA_STOCKS);
    assertThat(read.sessions()).isEmpty();
    assertThat(read.frictions()).isEqualTo(Frictions.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          max_steps: 8          | max_steps: 0           | schedule.max_steps: expected an integer of at least 1, was 0
          max_steps: 8          | max_steps: 2000000000  | schedule.max_steps: expected at most 86400, the seconds of a day, was 2000000000
          ticks_per_step: 30    | ticks_per_step: 1.5    | schedule.ticks_per_step: expected an integer, was 1.5
          hidden: 4             | hidden: 2000000000     | network.kwargs.hidden: expected at most 1000000, was 2000000000
          frequency: 1min       | frequency: 99999h      | schedule.frequency: expected a frequency such as 1min, was '99999h'
          combination: majority | combination: median    | combination: expected
          dialect: tranche      | dialect: python        | dialect: expected
          kind: given           | kind: taken            | features.kind: expected
          mirrors: true         | extra: 1               | expected a key
          session: cn_stocks    | session: cn_stonks     | schedule.session: expected a session, or segments
          session: cn_stocks    | session: 25:00-26:00   | schedule.session: expected a session, or segments
          session: cn_stocks    | session: {name: x, segments: [[34200, 99999]]} | schedule.session: expected segments in order
          """)
  void whatIsWrongIsNamed(String part, String instead, String message) {
    String yaml = Bundles.spec(Session.CHINA_STOCKS).toYaml();
    assertThat(yaml).contains(part);

    assertThatThrownBy(
            () -> ModelSpec.from(ConfigFiles.parse("model.yml", yaml.replace(part, instead))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
