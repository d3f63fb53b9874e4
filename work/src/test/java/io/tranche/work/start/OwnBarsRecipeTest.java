package io.tranche.work.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class OwnBarsRecipeTest {

  /// `Map.of` has another order in each process, and a roll that is resumed in another process
  /// compares its text with the one that it began with.
  @Test
  void keysHaveTheSameOrderInEveryProcess() {
    assertOrdered(OwnBarsRecipe.sections());
  }

  private static void assertOrdered(Map<?, ?> map) {
    assertThat(map)
        .satisfiesAnyOf(
            it -> assertThat(it).isInstanceOf(SequencedMap.class),
            it -> assertThat(it).hasSizeLessThan(2));
    for (Object value : map.values()) {
      if (value instanceof Map<?, ?> inner) {
        assertOrdered(inner);
      }
    }
  }
}
