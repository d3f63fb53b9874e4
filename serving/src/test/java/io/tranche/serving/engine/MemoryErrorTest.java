package io.tranche.serving.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.journal.JournalHistory;
import io.tranche.testkit.TestProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A service that runs out of memory ends, and the next one has everything that was acknowledged.
class MemoryErrorTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"journal", "worker", "client"})
  void theProcessEndsAndRecovers(String where) throws Exception {
    TestService.open(folder).close();
    var command = new ArrayList<>(TestProcess.command("serving", ShortOfMemory.class));
    command.add(folder.toString());
    command.add(where);
    Process process = new ProcessBuilder(command).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(errors).isEqualTo(1);
    assertThat(errors).contains("OutOfMemoryError").contains("the process ends");
    assertThat(said.lines()).hasSizeGreaterThan(5);
    JournalHistory.read(folder.resolve("journal"), _ -> {}); // there is no gap
    try (var service = TestService.open(folder)) {
      assertThat(said.lines()).allSatisfy(id -> service.look(id));
    }
  }
}
