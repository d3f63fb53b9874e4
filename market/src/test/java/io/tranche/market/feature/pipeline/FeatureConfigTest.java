package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarTime;
import io.tranche.market.feature.pipeline.GroupStatistics.Deviation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureConfigTest {

  private static final String YAML =
      """
      start: 2021-02-25
      end: 2021-03-03
      day_length: 48
      columns: [$open, $close]
      norm_groups: {price: 4, volume: 2}
      """;

  @Test
  void aDateAloneIsAWholeDayAndTheFitIsTheWindow() {
    FeatureConfig config = parse(YAML);

    assertThat(BarTime.format(config.start())).isEqualTo("2021-02-25 00:00:00");
    assertThat(BarTime.format(config.end())).isEqualTo("2021-03-03 23:59:59");
    assertThat(config.fitStart()).isEqualTo(config.start());
    assertThat(config.fitEnd()).isEqualTo(config.end());
    assertThat(config.deviation()).isEqualTo(Deviation.STANDARD);
    assertThat(config.instruments()).isEmpty();
  }

  @Test
  void whatIsWrittenReadsBackEqual() {
    FeatureConfig config =
        parse(
            YAML
                + """
                fit_end: 2021-03-01 10:00
                deviation: of_absolute_distances
                backtest_vwap: true
                instruments: [SH600000, 'we"ird']
                """);

    assertThat(parse(config.toConfig().toYaml())).isEqualTo(config);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          day_length: 48         | day_length: 0        | day_length: expected bars per day
          end: 2021-03-03        | end: 2021-01-03      | end: expected a time after
          end: 2021-03-03        | end: soon            | expected a date or a time
          {price: 4, volume: 2}  | {price: 4}           | groups of 6 columns in all, was {price=4}
          {price: 4, volume: 2}  | {price: 7, volume: -1} | expected a name and a number
          [$open, $close]        | [$open, $open]       | columns: expected each once
          [$open, $close]        | [$open, close]       | price fields like $close
          [$open, $close]        | [$open, $volume]     | price fields like $close
          start: 2021-02-25      | started: 2021-02-25  | start
          """)
  void namesWhatDoesNotGoTogether(String sound, String wrong, String message) {
    assertThatThrownBy(() -> parse(YAML.replace(sound, wrong)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  private static FeatureConfig parse(String yaml) {
    return FeatureConfig.from(ConfigFiles.parse("features.yml", yaml));
  }
}
