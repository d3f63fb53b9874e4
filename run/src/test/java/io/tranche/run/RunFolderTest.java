package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {

  @Test
  void qlibsOwnCheckpointsAreARunToo(@TempDir Path folder) throws IOException {
    var run = new RunFolder(folder);
    assertThat(run.holdsARun()).isFalse();

    Files.createDirectories(run.checkpoints());
    Files.writeString(run.checkpoints().resolve("latest.pth"), "weights");

    assertThat(run.holdsARun()).isTrue();
    assertThat(run.earlierCheckpoints()).isEmpty();
  }
}
