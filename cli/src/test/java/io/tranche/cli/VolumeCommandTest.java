package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// The learned volume curve on real bars; files with days enough are to show that it is better.
class VolumeCommandTest {

  @ParameterizedTest
  @CsvSource({
    "cn_futures_5min_2024_MIT.parquet, true",
    "us_lean_1min_quotes_Apache2.parquet, false",
    "cn_000001_1min_201801_Apache2.parquet, false"
  })
  void theLearnedCurveIsNotWorseThanTheMeanOfPastDays(String file, boolean isLarge) {
    Run run = Run.of("data", "volume", "--json", Shared.orSkip("data/" + file).toString());

    assertThat(run.status()).as(run.err()).isZero();
    JsonNode facts = new ObjectMapper().readTree(run.out()).get("files").get(0);
    assertThat(facts.get("high").doubleValue()).isPositive();
    assertThat(facts.get("learned").get("tracking_bps").doubleValue())
        .isLessThan(facts.get("average").get("tracking_bps").doubleValue());
    if (isLarge) {
      assertThat(facts.get("low").doubleValue()).isPositive();
      assertThat(facts.get("learned").get("r_squared").doubleValue())
          .isGreaterThan(facts.get("average").get("r_squared").doubleValue() + 0.05);
    }
  }
}
