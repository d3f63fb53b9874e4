package io.tranche.market.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrawsTest {

  // Textbook values of the normal distribution.
  @ParameterizedTest
  @CsvSource({
    "0.5, 0",
    "0.9, 1.2815515655446004",
    "0.975, 1.959963984540054",
    "0.99, 2.3263478740408408",
    "0.999, 3.090232306167813",
    "1e-10, -6.361340902404056",
    "1e-16, -8.222082216130435"
  })
  void findsTheNormalQuantile(double probability, double expected) {
    assertThat(Draws.quantile(probability)).isCloseTo(expected, within(1e-12));
  }

  @Test
  void drawsNormalNumbers() {
    var draws = new Draws(Draws.root(5));
    int count = 1_000_000;
    double[] moments = new double[5];
    double lag = 0;
    double last = 0;

    for (int i = 0; i < count; i++) {
      double x = draws.normal();
      for (int power = 1; power < moments.length; power++) {
        moments[power] += Math.pow(x, power) / count;
      }
      lag += x * last / count;
      last = x;
    }

    assertThat(moments[1]).isCloseTo(0, within(0.004));
    assertThat(moments[2]).isCloseTo(1, within(0.006));
    assertThat(moments[3]).isCloseTo(0, within(0.016));
    assertThat(moments[4]).isCloseTo(3, within(0.04));
    assertThat(lag).isCloseTo(0, within(0.004));
  }

  @Test
  void givesEveryKeyItsOwnStream() {
    Set<Double> seen = new HashSet<>();

    for (int branch = 0; branch < 100; branch++) {
      long key = Draws.child(Draws.root(1), branch);
      for (int leaf = 0; leaf < 100; leaf++) {
        seen.add(new Draws(Draws.child(key, leaf)).uniform());
      }
    }

    assertThat(seen).hasSize(10_000);
  }
}
