package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvLogWriterTest {

  @TempDir Path folder;

  @Test
  void eachCollectWritesItsOwnEpisodes() throws IOException {
    Path result = folder.resolve("a/b/result.csv");
    var log = new EpisodeLog(new CsvLogWriter(folder.resolve("a/b")));
    log.onEnvAllReady();
    Episodes.run(log, 0, 1, 2);
    Episodes.run(log, 1, 0.1);
    log.onEnvAllDone();
    assertThat(result).hasContent("reward,steps_per_episode,stock_id\n3.0,2.0,S0\n0.1,1.0,S1\n");

    log.onEnvAllReady();
    log.onEnvAllDone();

    assertThat(Files.readString(result)).isEqualTo("\n");
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> new CsvLogWriter(file))
        .withMessageContaining(file.toString());
  }

  @Test
  void theConsoleSaysHowItGoesEverySoOften() {
    var lines = new ArrayList<String>();
    var style = new ConsoleWriter.Style(2, 5, "Test", ":.1f", ":d");
    var log = new EpisodeLog(new ConsoleWriter(lines::add, style));

    for (int episode = 1; episode <= 5; episode++) {
      Episodes.run(log, 0, episode);
    }

    assertThat(lines)
        .containsExactly(
            "Test [2/5]   reward 2.0 (1.5)  steps_per_episode 1.0 (1.0)",
            "Test [4/5]   reward 4.0 (2.5)  steps_per_episode 1.0 (1.0)",
            "Test [5/5]   reward 5.0 (3.0)  steps_per_episode 1.0 (1.0)");
  }
}
