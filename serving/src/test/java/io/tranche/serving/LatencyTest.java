package io.tranche.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Cases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LatencyTest {

  @Test
  void percentilesAreExactToThreePercent() {
    Cases.forAll(
        200,
        random -> {
          var latency = new Latency();
          long[] values = new long[random.nextInt(1, 500)];
          for (int i = 0; i < values.length; i++) {
            values[i] = random.nextLong(1L << random.nextInt(1, 62));
            latency.record(values[i]);
          }
          Arrays.sort(values);

          for (double share : new double[] {0.01, 0.5, 0.99, 1}) {
            double exact = values[Math.max(0, (int) Math.ceil(share * values.length) - 1)];
            assertThat((double) latency.percentile(share)).isCloseTo(exact, within(exact / 31));
          }
          assertThat(latency.count()).isEqualTo(values.length);
          assertThat(latency.sum()).isEqualTo(Arrays.stream(values).sum());
          assertThat(latency.max()).isEqualTo(values[values.length - 1]);
          assertThat(latency.countUpTo(Long.MAX_VALUE)).isEqualTo(values.length);
        });
  }

  @Test
  void ofNothingIsNothing() {
    var latency = new Latency();

    assertThat(latency.count()).isZero();
    assertThat(latency.percentile(0.99)).isZero();
  }
}
