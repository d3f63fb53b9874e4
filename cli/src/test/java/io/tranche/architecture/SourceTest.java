package io.tranche.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What only the sources show.
class SourceTest {

  // Written so that this file does not match itself.
  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

  @Test
  void nothingIsLeftForLater() throws IOException {
    var sources = new ArrayList<Path>();
    var unfinished = new ArrayList<String>();
    try (var modules = Files.newDirectoryStream(Shared.root(), SourceTest::hasSources)) {
      for (Path module : modules) {
        try (var files = Files.walk(module.resolve("src"))) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
    }
    for (Path source : sources) {
      int line = 0;
      for (String text : Files.readAllLines(source)) {
        line++;
        if (UNFINISHED.matcher(text).find()) {
          unfinished.add(Shared.root().relativize(source) + ":" + line);
        }
      }
    }

    assertThat(sources).hasSizeGreaterThan(20);
    assertThat(unfinished).isEmpty();
  }

  private static boolean hasSources(Path module) {
    return Files.isDirectory(module.resolve("src"));
  }
}
