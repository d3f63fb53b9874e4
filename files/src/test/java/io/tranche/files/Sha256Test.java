package io.tranche.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {

  @TempDir Path folder;

  @Test
  void filesHaveOneHashWhereverTheyAre() throws IOException {
    String hash = Sha256.ofFiles(written("one", "x", "y"));

    assertThat(Sha256.ofFiles(written("two", "x", "y"))).isEqualTo(hash);
    assertThat(Sha256.ofFiles(written("three", "x", "z"))).isNotEqualTo(hash);
    assertThat(Sha256.ofFiles(written("four", "xy", ""))).isNotEqualTo(hash);
    assertThat(Sha256.ofFiles(folder.resolve("one/a.csv")))
        .isEqualTo(Sha256.ofFiles(folder.resolve("two/a.csv")));
  }

  private Path written(String name, String first, String second) throws IOException {
    Path root = folder.resolve(name);
    Files.createDirectories(root.resolve("below"));
    Files.write(root.resolve("a.csv"), first.getBytes(UTF_8));
    Files.write(root.resolve("below/b.csv"), second.getBytes(UTF_8));
    return root;
  }
}
