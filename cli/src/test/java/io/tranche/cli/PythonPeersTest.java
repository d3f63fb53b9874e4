package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Libraries that know nothing of Tranche train agents on its embedded market that beat TWAP there.
@Tag("full")
final class PythonPeersTest {

  @TempDir private static Path folder;
  private static PythonPackage python;

  @BeforeAll
  static void prepare() throws IOException {
    python = PythonPackage.in(folder);
  }

  @Test
  void stableBaselinesTrainsOnItAndItsCheckerAcceptsIt() throws IOException, InterruptedException {
    beatsTwap("peer_sb3.py", "250000");
  }

  @Test
  void tianshouTrainsOnIt() throws IOException, InterruptedException {
    beatsTwap("peer_tianshou.py", "102400");
  }

  /// Its file is taken from PyPI as it is; it has the same environment as any user's.
  @Test
  void theFileOfCleanRlTrainsOnIt() throws IOException, InterruptedException {
    Path file = Python.wheelOrSkip("cleanrl==1.2.0").resolve("cleanrl/ppo_continuous_action.py");

    beatsTwap("peer_cleanrl.py", file.toString(), "102400");
  }

  private static void beatsTwap(String program, String... arguments)
      throws IOException, InterruptedException {
    String printed = python.runFile(Python.withLearnersOrSkip(), program, arguments);

    assertThat(printed.lines().toList().getLast()).startsWith("BEATS TWAP");
  }
}
