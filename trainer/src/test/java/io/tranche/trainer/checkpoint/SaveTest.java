package io.tranche.trainer.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tranche.market.DataException;
import io.tranche.testkit.Cases;
import io.tranche.testkit.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SaveTest {

  @TempDir Path root;

  @Test
  void aKillWhileSavingLeavesTheLastCheckpointReadable() {
    Cases.forAll(
        Cases.count(20, 200),
        random -> {
          Path folder = root.resolve("run");
          try {
            int said = killedAfter(folder, random.nextInt(60_000));
            var complaints = new ArrayList<String>();

            var found = Objects.requireNonNull(CheckpointFolder.newest(folder, complaints::add));

            assertThat(complaints).isEmpty();
            assertThat(found.checkpoint().position().iterations()).isGreaterThanOrEqualTo(said);
            // The next save also takes away what the killed process left.
            CheckpointFile.write(found.file(), found.checkpoint());
            delete(folder);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /// Returns how many checkpoints the process said it had saved when it was killed.
  private static int killedAfter(Path folder, int micros) throws IOException {
    Process child = new ProcessBuilder(command(folder, 10_000, 600)).start();
    try (var lines = new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
      int said = 0;
      assertThat(lines.readLine()).isEqualTo("saved 1");
      child.waitFor(micros, TimeUnit.MICROSECONDS);
      child.toHandle().destroyForcibly(); // that of the process would close the stream
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said++;
      }
      return Math.max(1, said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      child.destroyForcibly();
    }
  }

  private static List<String> command(Path folder, int count, int growth) {
    var command = new ArrayList<>(TestProcess.command("trainer", SaveMain.class));
    command.addAll(List.of(folder.toString(), Integer.toString(count), Integer.toString(growth)));
    return command;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aFullDiskIsSaidAndLeavesTheOldCheckpointAlone() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash for its ulimit");
    Path folder = root.resolve("full");
    // A limit on the file size stands for a full disk: the third file does not fit.
    var command = new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -f 100; exec \"$@\"", "-"));
    command.addAll(command(folder, 5, 10_000));

    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> said = new String(child.getInputStream().readAllBytes(), UTF_8).lines().toList();
    child.waitFor();

    assertThat(said).hasSize(3).startsWith("saved 1", "saved 2");
    assertThat(said.getLast())
        .contains("003.ckpt: expected a place that can be written, was ")
        .containsIgnoringCase("file too large");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("001.ckpt", "002.ckpt");
    }
    assertThat(CheckpointFile.read(folder.resolve("002.ckpt")).position().iterations())
        .isEqualTo(2);
  }

  @Test
  void aReadOnlyFolderIsSaidAndLeavesTheOldCheckpointAlone() throws IOException {
    Path folder = root.resolve("read-only");
    Path file = folder.resolve("001.ckpt");
    CheckpointFile.write(file, Samples.checkpoint(1, 5));
    byte[] before = Files.readAllBytes(file);
    assumeTrue(folder.toFile().setWritable(false));
    // Root may write anywhere but here.
    boolean isRoot = Files.isWritable(folder);
    assumeTrue(!isRoot || chattr("+i", folder), "needs chattr, or not to be root");
    try {
      assertThatThrownBy(() -> CheckpointFile.write(file, Samples.checkpoint(2, 5)))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("001.ckpt: expected a place that can be written, was ");
      assertThat(file).hasBinaryContent(before);
    } finally {
      assertThat(!isRoot || chattr("-i", folder)).isTrue();
      assertThat(folder.toFile().setWritable(true)).isTrue();
    }
  }

  private static boolean chattr(String attribute, Path folder) throws IOException {
    try {
      return new ProcessBuilder("chattr", attribute, folder.toString()).start().waitFor() == 0;
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aFolderThatIsAFileIsSaid() throws IOException {
    Path file = Files.createFile(root.resolve("file"));

    assertThatThrownBy(
            () -> CheckpointFile.write(file.resolve("001.ckpt"), Samples.checkpoint(1, 5)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("001.ckpt: expected a place that can be written");
  }
}
