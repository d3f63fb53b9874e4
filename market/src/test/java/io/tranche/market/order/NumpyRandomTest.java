package io.tranche.market.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumpyRandomTest {

  // numpy 1.26.4: seed(n); shuffle(list("abcdefghijklmnopq")); lognormal(-3.28, 1.14) 1,005 times;
  // random_sample()
  @ParameterizedTest
  @CsvSource({
    "1234, olanqckhbjiemfgdp, 0.02581261960320999, 0.1019274308950522, 0.36895025768829176,"
        + " 0.03132798038978597, 0.7198372866509692",
    "0, bgijnecokhqldafpm, 0.17846417193571873, 0.0336624225118511, 0.0023682873793175446,"
        + " 0.01157947099865372, 0.20501141354252228",
    "4294967295, ibfokpqnljgaehmcd, 0.0648061531875117, 0.011683810386762413,"
        + " 0.0688898915949841, 0.02199726350063566, 0.43752898132378726"
  })
  void drawsWhatNumpyDraws(
      long seed,
      String shuffled,
      double first,
      double second,
      double third,
      double last,
      double uniform) {
    var random = new NumpyRandom((int) seed);
    var letters = new ArrayList<>(List.of("abcdefghijklmnopq".split("")));
    double[] draws = new double[1005];

    random.shuffle(letters);
    for (int i = 0; i < draws.length; i++) {
      draws[i] = random.lognormal(-3.28, 1.14);
    }

    assertThat(String.join("", letters)).isEqualTo(shuffled);
    assertThat(draws[0]).isCloseTo(first, within(1e-15));
    assertThat(draws[1]).isCloseTo(second, within(1e-15));
    assertThat(draws[2]).isCloseTo(third, within(1e-15));
    assertThat(draws[1004]).isCloseTo(last, within(1e-15));
    assertThat(random.nextDouble()).isEqualTo(uniform);
  }
}
