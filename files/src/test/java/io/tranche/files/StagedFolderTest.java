package io.tranche.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedFolderTest {

  @TempDir Path folder;

  @Test
  void appearsWholeOrNotAtAll() throws IOException {
    Path target = folder.resolve("target");
    try (StagedFolder staged = StagedFolder.create(target)) {
      Files.writeString(staged.folder().resolve("a"), "1");
      assertThat(target).doesNotExist();
    }
    assertThat(entries()).isEmpty();

    try (StagedFolder staged = StagedFolder.create(target)) {
      Files.writeString(staged.folder().resolve("a"), "2");
      staged.commit();
    }

    assertThat(entries()).containsExactly("target");
    assertThat(target.resolve("a")).hasContent("2");
  }

  @Test
  void takesAwayWhatAKilledProcessLeft() throws Exception {
    long ended = ended();
    Path left = Files.createDirectories(folder.resolve(".target.new-" + ended + "-0/deep"));
    Files.writeString(left.resolve("half"), "x");
    Path pending = Files.writeString(folder.resolve(".t.csv.new-" + ended + "-0.tmp"), "x");
    Path other = Files.writeString(folder.resolve(".other.new-" + ended + "-0"), "x");
    Path running = folder.resolve(".target.new-" + ProcessHandle.current().pid() + "-7");
    Files.createDirectory(running);

    StagedFolder.create(folder.resolve("target")).close();
    PendingFile.beside(folder.resolve("t.csv")).close();

    assertThat(entries())
        .containsExactlyInAnyOrder(
            other.getFileName().toString(), running.getFileName().toString());
    assertThat(pending).doesNotExist();
  }

  private static long ended() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(), "-version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.waitFor();
    return process.pid();
  }

  private List<String> entries() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).toList();
    }
  }
}
