package io.tranche.market.feature.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DayFrame;
import io.tranche.market.feature.Bars;
import io.tranche.testkit.Cases;
import java.util.List;
import org.junit.jupiter.api.Test;

class CausalityCheckTest {

  @Test
  void noBuiltInProviderLooksAhead() {
    Cases.forAll(
        Cases.count(10, 200),
        random -> {
          var series = Bars.random(random.nextLong(), 3, random.nextInt(1, 50), 0.1).series();

          for (FeatureProvider provider : FeatureProvider.installed()) {
            assertThat(CausalityCheck.find(provider, series, 2)).isNull();
          }
        });
  }

  @Test
  void namesTheColumnAndTickOfAPlantedLeak() {
    var series = Bars.random(1, 2, 20, 0).series();

    var leak = CausalityCheck.find(new Planted(1), series, 1);

    assertThat(leak).isNotNull();
    assertThat(String.valueOf(leak))
        .startsWith("planted: $leak at tick 0 changed from ")
        .endsWith(" when only bars after tick 0 changed");
  }

  @Test
  void findsALeakFarAhead() {
    var series = Bars.random(1, 2, 20, 0).series();

    assertThat(CausalityCheck.find(new Planted(19), series, 1)).isNotNull();
    assertThat(CausalityCheck.find(new Planted(0), series, 1)).isNull();
  }

  @Test
  void aProviderMustWriteEveryValue() {
    var series = Bars.random(1, 1, 20, 0).series();

    assertThatThrownBy(() -> CausalityCheck.find(new Planted(-1), series, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("planted must write every value");
  }

  /// Answers with the close `ahead` ticks later; with -1 ahead it forgets the first tick.
  private record Planted(int ahead) implements FeatureProvider {

    @Override
    public String name() {
      return "planted";
    }

    @Override
    public List<String> columns() {
      return List.of("$leak");
    }

    @Override
    public List<String> fields() {
      return List.of("close");
    }

    @Override
    public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
      for (int tick = Math.max(0, -ahead); tick < day.ticks(); tick++) {
        int seen = Math.min(tick + ahead, day.ticks() - 1);
        target[tick] = day.value(day.fieldIndex("close"), seen);
      }
    }
  }
}
