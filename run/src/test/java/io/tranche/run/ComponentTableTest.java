package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.run.ComponentTable.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ComponentTableTest {

  /// Every component refuses a key that it does not know by naming those that it does.
  @Test
  void documentsExactlyTheSettingsThatAreRead() {
    ConfigNode wrong = ConfigFiles.of("test", Map.of("no_such_setting_at_all", 1));

    for (var catalog : ComponentTable.catalogs().values()) {
      for (Component<?> component : catalog.components()) {
        var keys = new TreeSet<String>();
        for (Setting setting : ComponentTable.settings(component.name())) {
          keys.add(setting.key());
        }
        ConfigException refused =
            catchThrowableOfType(ConfigException.class, () -> component.maker().apply(wrong));
        assertThat(refused)
            .as(component.name())
            .hasMessageContaining("expected a key out of " + keys + ",");
      }
    }
  }

  @Test
  void saysWhatASettingIsFor() {
    assertThat(ComponentTable.settings("SimpleSimulator"))
        .contains(new Setting("latency", "0", "bars that a decision takes to reach the market"));
    assertThat(ComponentTable.settings("DummyInterpreter")).isEmpty();
  }

  /// What is neither a file nor ignored has a source in brackets, and numbers a usual range.
  @Test
  void everySettingOfAnAlgorithmHasARangeAndASource() {
    for (Component<?> component : PolicyCatalog.agents().components()) {
      if (component.name().equals("AllOne")) {
        continue; // a rule, which learns nothing
      }
      for (Setting setting : ComponentTable.settings(component.name())) {
        if (!List.of("weight_file", "max_batch_size").contains(setting.key())
            && !setting.meaning().equals("must be false")) {
          assertThat(setting.meaning())
              .as(component.name() + " " + setting.key())
              .containsPattern("\\(.+\\)")
              .containsPattern("\\d|whether|gaussian|error|huber");
        }
      }
    }
  }
}
