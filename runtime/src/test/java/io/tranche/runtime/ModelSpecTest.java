package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Session.Segment;
import java.util.List;
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
          - 34200               | - 99999                | schedule.session: expected segments in order
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
