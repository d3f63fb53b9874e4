package io.tranche.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.TestProcess;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

  @TempDir Path folder;

  @Test
  void isTakenOnceAndAgainAfterClosing() throws IOException {
    Path target = folder.resolve("new");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);

    try (var _ = FolderLock.take(target)) {
      assertInUseByThisProcess(target);
      assertInUseByThisProcess(link);
    }

    try (var _ = FolderLock.take(link)) {
      assertInUseByThisProcess(target);
    }
  }

  @Test
  void tellsWhoWorksInAFolderWithoutTakingIt() throws Exception {
    assertThat(FolderLock.holder(folder)).isEmpty();
    try (var _ = FolderLock.take(folder)) {
      assertThat(FolderLock.holder(folder)).hasValue(ProcessHandle.current().pid());
    }
    assertThat(FolderLock.holder(folder)).isEmpty();

    Files.writeString(folder.resolve("lock"), Long.toString(Long.MAX_VALUE));
    assertThat(FolderLock.holder(folder)).isEmpty();
    Files.writeString(folder.resolve("lock"), "nonsense");
    assertThat(FolderLock.holder(folder)).isEmpty();
  }

  private static void assertInUseByThisProcess(Path place) {
    assertThatExceptionOfType(FolderLock.InUseException.class)
        .isThrownBy(() -> FolderLock.take(place))
        .withMessage("in use by this process, " + ProcessHandle.current().pid());
  }

  @Test
  void keepsOtherProcessesOutAfterASecondAttempt() throws Exception {
    try (var _ = FolderLock.take(folder)) {
      assertInUseByThisProcess(folder);

      assertThat(another().waitFor()).isEqualTo(REFUSED);
    }

    assertThat(another().waitFor()).isEqualTo(TAKEN);
  }

  @Test
  void keepsOutASecondClassLoaderOfTheSameProcess() throws Exception {
    URL classes = FolderLock.class.getProtectionDomain().getCodeSource().getLocation();

    // Without a parent: the platform's loader would find the class of the module.
    try (var _ = FolderLock.take(folder);
        var loader = new URLClassLoader(new URL[] {classes}, null)) {
      Class<?> same = loader.loadClass(FolderLock.class.getName());
      assertThat(same).isNotEqualTo(FolderLock.class);
      Method take = same.getMethod("take", Path.class);
      assertThatThrownBy(() -> take.invoke(null, folder))
          .hasRootCauseMessage("in use by this process, " + ProcessHandle.current().pid());

      assertThat(another().waitFor()).isEqualTo(REFUSED);
    }
  }

  @Test
  void namesTheProcessThatHasItAndIsFreeOnceThatIsKilled() throws Exception {
    Process other = another("stay");
    try {
      other.getInputStream().read(); // it has the lock now

      assertThatExceptionOfType(FolderLock.InUseException.class)
          .isThrownBy(() -> FolderLock.take(folder))
          .withMessage("in use by process " + other.pid());
    } finally {
      other.destroyForcibly().waitFor();
    }

    FolderLock.take(folder).close();
  }

  private Process another(String... more) throws IOException {
    var command = new ArrayList<>(TestProcess.command("files", Taker.class));
    command.add(folder.toString());
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /// Exit codes that no JVM has of its own.
  private static final int TAKEN = 10;

  private static final int REFUSED = 11;

  /// Exits with a code that tells whether it got the lock, or keeps it.
  static final class Taker {

    private Taker() {}

    @SuppressWarnings("SystemOut") // the test waits for it
    public static void main(String[] arguments) throws Exception {
      try {
        FolderLock.take(Path.of(arguments[0]));
      } catch (FolderLock.InUseException _) {
        System.exit(REFUSED);
      }
      if (arguments.length > 1) {
        System.out.println("taken");
        Thread.currentThread().join();
      }
      System.exit(TAKEN);
    }
  }
}
