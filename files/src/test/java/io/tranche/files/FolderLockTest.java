package io.tranche.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Taker.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int code = process.waitFor();
    assertThat(code).isIn(0, 1);
    return code == 0;
  }

  /// Exits with 0 if it gets the lock, and with 1 if it does not.
  static final class Taker {

    private Taker() {}

    public static void main(String[] arguments) throws IOException {
      System.exit(FolderLock.tryTake(Path.of(arguments[0])) == null ? 1 : 0);
    }
  }
}
