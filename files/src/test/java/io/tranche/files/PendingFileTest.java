package io.tranche.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingFileTest {

  @TempDir Path folder;

  @Test
  void filesAreCommittedTogetherAndOnce() throws IOException {
    Files.writeString(folder.resolve("one"), "before");
    try (var one = PendingFile.beside(folder.resolve("one"));
        var two = PendingFile.beside(folder.resolve("two"))) {
      Files.writeString(one.path(), "1");
      Files.writeString(two.path(), "2");
      assertThat(folder.resolve("one")).hasContent("before");

      PendingFile.commitAll(List.of(one, two));

      assertThat(folder.resolve("one")).hasContent("1");
      assertThat(folder.resolve("two")).hasContent("2");
      assertThatThrownBy(two::commit).isInstanceOf(IllegalStateException.class);
    }
    try (var left = Files.list(folder)) {
      assertThat(left).hasSize(2);
    }
  }
}
