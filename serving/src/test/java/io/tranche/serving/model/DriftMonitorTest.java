package io.tranche.serving.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ReferenceStatistics;
import io.tranche.serving.DriftReport;
import io.tranche.serving.ServiceConfig.DriftRules;
import io.tranche.serving.TestModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriftMonitorTest {

  @TempDir Path folder;

  private static ReferenceStatistics.Feature feature(String name, boolean hasBins) {
    return hasBins
        ? new ReferenceStatistics.Feature(name, 10, 1, List.of(9.5, 10.5), List.of(0.1, 0.8, 0.1))
        : new ReferenceStatistics.Feature(name, 10, 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFeatureThatIsNotANumberHasDrifted(boolean hasBins) {
    var reference =
        new ReferenceStatistics(
            10,
            80,
            List.of(feature("$close", hasBins), feature("$volume", hasBins)),
            List.of(0.2, 0.2, 0.2, 0.2, 0.2));
    TestModels.write(folder, "m@1", 1, reference);
    var alarms = new ArrayList<DriftReport>();
    var monitor =
        new DriftMonitor(
            new DriftRules(20, 1, 1_000_000, 1e9, false),
            LoadedModel.open(folder.resolve("m@1.tranche")),
            alarms::add);

    monitor.saw((_, _) -> 10, 0, 20);
    assertThat(alarms).isEmpty();
    monitor.saw((tick, column) -> tick == 3 && column == 1 ? Float.NaN : 10, 0, 20);

    assertThat(alarms).hasSize(1);
    assertThat(monitor.report().isAlarmed()).isTrue();
    assertThat(monitor.report().feature()).isEqualTo("$volume");
    assertThat(monitor.report().featureShift()).isInfinite();
    monitor.saw((_, _) -> 10, 0, 20);
    assertThat(monitor.report().isAlarmed()).as("an alarm ends").isFalse();
  }
}
