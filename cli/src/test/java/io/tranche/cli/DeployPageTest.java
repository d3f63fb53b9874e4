package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// docs/deploy.md: every command works, from an empty folder, in the order of the page.
class DeployPageTest {

  @TempDir Path folder;

  @Test
  void everyCommandWorks() throws Exception {
    String said = PageCommands.run("deploy.md", folder);

    Path start = folder.resolve("empty");
    assertThat(said)
        .contains("alive", "ready", "\"model\":\"opds@1\"", "OrderState[id=java-1", "python-1")
        .contains("tranche_orders_total", "\"event\":\"stopped\"");
    assertThat(start.resolve("desk/after.json")).content().contains("\"orders_done\" : 10");
    assertThat(start.resolve("desk/before.json")).content().contains("\"orders_done\" : 25");
  }
}
