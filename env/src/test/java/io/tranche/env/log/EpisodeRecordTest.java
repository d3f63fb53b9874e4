package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Cases;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpisodeRecordTest {

  // numpy 1.26: np.sum([0.1 * i * i for i in range(n)]) and np.mean of the same.
  @ParameterizedTest
  @CsvSource({
    "1, 0.0, 0.0",
    "2, 0.1, 0.05",
    "7, 9.100000000000001, 1.3000000000000003",
    "8, 14.0, 1.75",
    "9, 20.4, 2.2666666666666666",
    "15, 101.5, 6.766666666666667",
    "16, 124.0, 7.75",
    "17, 149.6, 8.799999999999999",
    "127, 67475.1, 531.3000000000001",
    "128, 69088.0, 539.75",
    "129, 70726.40000000001, 548.2666666666668",
    "136, 82926.0, 609.75",
    "137, 84775.6, 618.8000000000001",
    "240, 457924.0, 1908.0166666666667",
    "255, 549465.5, 2154.766666666667",
    "256, 555968.0, 2171.75",
    "257, 562521.6, 2188.7999999999997",
    "300, 895505.0, 2985.016666666667",
    "1000, 33283350.0, 33283.35",
    "2049, 286540902.4, 139844.26666666666"
  })
  void addsUpInNumpysOrder(int count, double sum, double mean) {
    List<Double> values = IntStream.range(0, count).mapToObj(i -> 0.1 * i * i).toList();

    assertThat(EpisodeRecord.aggregate(values, "reward")).isEqualTo(sum);
    assertThat(EpisodeRecord.aggregate(values, "x")).isEqualTo(mean);
  }

  @Test
  void aSumIsTheSumOfItsParts() {
    Cases.forAll(
        Cases.count(500, 20_000),
        random -> {
          double[] values = random.doubles(random.nextInt(1, 2_000), -1, 1).toArray();

          Object sum = EpisodeRecord.aggregate(DoubleStream.of(values).boxed().toList(), "reward");

          assertThat((Double) sum).isCloseTo(DoubleStream.of(values).sum(), within(1e-10));
        });
  }

  @Test
  void onlyDoublesAreAveraged() {
    assertThat(EpisodeRecord.aggregate(List.of(3L, 5L), "reward")).isEqualTo(3L);
    assertThat(EpisodeRecord.aggregate(List.of(1.0f, 4.0f), "x")).isEqualTo(1.0f);
    assertThat(EpisodeRecord.aggregate(List.of(1.0, "text"), "x")).isEqualTo(1.0);
    assertThat(EpisodeRecord.aggregate(List.of(-0.0), null)).isEqualTo(0.0);
    assertThatIllegalArgumentException().isThrownBy(() -> EpisodeRecord.aggregate(List.of(), "x"));
  }

  @Test
  void aNameMayOccurInSomeStepsOnly() {
    var episode =
        new EpisodeRecord(
            List.of(1.0, 2.0, 3.0),
            List.of(
                Map.of("reward", 1.0),
                Map.of("reward", 2.0, "x", 4.0, "id", "S1"),
                Map.of("x", 5.0, "count", 3L)));

    assertThat(episode.length()).isEqualTo(3);
    assertThat(episode.metrics()).isEqualTo(Map.of("reward", 3.0, "x", 4.5));
    assertThat(episode.values(_ -> true))
        .isEqualTo(Map.of("reward", 3.0, "x", 4.5, "id", "S1", "count", 3L));
  }
}
