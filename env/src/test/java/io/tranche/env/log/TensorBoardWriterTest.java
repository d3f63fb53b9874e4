package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorBoardWriterTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2024-01-02T03:04:05.5Z"));

  @TempDir Path folder;

  @Test
  void theRealTensorBoardReadsEveryValueBack() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("tensorboard");
    try (var log = new EpisodeLog(new TensorBoardWriter(folder, "val/", CLOCK))) {
      for (int collect = 0; collect < 2; collect++) {
        log.onEnvAllReady();
        Episodes.run(log, 0, 1, 2);
        Episodes.run(log, 1, Double.NaN);
        log.onEnvAllDone();
      }
      for (int i = 0; i < 300; i++) {
        Episodes.run(log, 0, 0.1 * i);
      }
    }

    String answer =
        Python.run(
            python,
            """
            import sys
            from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
            events = EventAccumulator(sys.argv[1], size_guidance={'scalars': 0})
            events.Reload()
            for tag in sorted(events.Tags()['scalars']):
                values = events.Scalars(tag)
                print(tag, len(values), *[(e.step, e.value, e.wall_time) for e in values[:3]])
            last = events.Scalars('val/reward')[-1]
            print(last.step, '%.4f' % last.value)
            """,
            folder.toString());

    assertThat(answer)
        .isEqualTo(
            """
            val/collect/reward 2 (2, nan, 1704164645.5) (4, nan, 1704164645.5)
            val/collect/steps_per_episode 2 (2, 1.5, 1704164645.5) (4, 1.5, 1704164645.5)
            val/reward 304 (1, 3.0, 1704164645.5) (2, nan, 1704164645.5) (3, 3.0, 1704164645.5)
            val/steps_per_episode 304 (1, 2.0, 1704164645.5) (2, 1.0, 1704164645.5) \
            (3, 2.0, 1704164645.5)
            304 29.9000
            """);
  }

  // The bytes were read by TensorBoard 2.21.
  @Test
  void theBytesOfAFileAreKnown() throws IOException {
    new TensorBoardWriter(folder, "", CLOCK).close();

    Path file = folder.resolve("events.out.tfevents.1704164645.tranche");
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
        .isEqualTo(
            "1800000000000000a37f4b22"
                + "0900006049df64d941"
                + "1a0d627261696e2e4576656e743a32"
                + "a08e7f7a");
  }

  @Test
  void twoWritersInTheSameSecondHaveTwoFiles() throws IOException {
    new TensorBoardWriter(folder, "", CLOCK).close();
    new TensorBoardWriter(folder, "", CLOCK).close();

    try (var files = Files.list(folder)) {
      assertThat(files)
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrder(
              "events.out.tfevents.1704164645.tranche", "events.out.tfevents.1704164645.tranche.1");
    }
  }
}
