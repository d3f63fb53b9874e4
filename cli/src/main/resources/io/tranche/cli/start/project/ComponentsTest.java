package @PACKAGE@;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tranche.config.ComponentProvider;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.feature.provider.CausalityCheck;
import io.tranche.market.feature.provider.FeatureProvider;
import java.time.LocalDate;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class ComponentsTest {

  private static final BarSeries BARS = bars(10, 12, Float.NaN, 11, 8);

  @Test
  void theNamesAreFound() {
    assertTrue(
        ServiceLoader.load(ComponentProvider.class).stream()
            .anyMatch(provider -> provider.type() == Components.class));
    assertTrue(FeatureProvider.installed().stream().anyMatch(DayRange.class::isInstance));
    assertTrue(
        ExecutionCatalog.rewards().withInstalled().components().stream()
            .anyMatch(component -> component.name().equals("EarlyReward")));
  }

  @Test
  void theFeatureIsThePlaceInTheRange() {
    float[] places = new float[5];

    new DayRange().compute(BARS.day(0), List.of(), places);

    assertArrayEquals(new float[] {0, 1, 1, 0, -1}, places);
  }

  @Test
  void theFeatureDoesNotLookAhead() {
    assertNull(CausalityCheck.find(new DayRange(), BARS, 0));
  }

  private static BarSeries bars(float... closes) {
    long[] times = new long[closes.length];
    for (int i = 0; i < times.length; i++) {
      times[i] = BarTime.of(LocalDate.of(2024, 1, 2).atTime(9, 30)) + 60L * i;
    }
    Calendar calendar = Calendar.of(Frequency.MINUTE, times);
    return BarSeries.wrap("ANY", calendar, 0, List.of("close"), new float[][] {closes});
  }
}
