package io.tranche.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

  @TempDir Path folder;

  @Test
  void isTakenOnceAndAgainAfterClosing() throws IOException {
    Path target = folder.resolve("new");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);

    try (FolderLock lock = FolderLock.tryTake(target)) {
      assertThat(lock).isNotNull();
      assertThat(FolderLock.tryTake(target)).isNull();
      assertThat(FolderLock.tryTake(link)).isNull();
    }

    try (FolderLock lock = FolderLock.tryTake(link)) {
      assertThat(lock).isNotNull();
    }
  }

  @Test
  void keepsOtherProcessesOutAfterASecondAttempt() throws Exception {
    try (FolderLock lock = FolderLock.tryTake(folder)) {
      assertThat(lock).isNotNull();
      assertThat(FolderLock.tryTake(folder)).isNull();

      assertThat(takenByAnotherProcess()).isFalse();
    }

    assertThat(takenByAnotherProcess()).isTrue();
  }

  private boolean takenByAnotherProcess() throws Exception {
    var command = new ArrayList<>(TestProcess.command("files", Taker.class));
    command.add(folder.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int code = process.waitFor();
    assertThat(code).isIn(TAKEN, REFUSED);
    return code == TAKEN;
  }

  /// Exit codes that no JVM has of its own.
  private static final int TAKEN = 10;

  private static final int REFUSED = 11;

  /// Exits with a code that tells whether it got the lock.
  static final class Taker {

    private Taker() {}

    public static void main(String[] arguments) throws IOException {
      System.exit(FolderLock.tryTake(Path.of(arguments[0])) == null ? REFUSED : TAKEN);
    }
  }
}
