package io.tranche.serving.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Counters;
import io.tranche.serving.Observer;
import io.tranche.serving.engine.TestService;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counts the forced writes, which cost more than anything else in a service.
class GroupCommitTest {

  private static final int EVENTS = 500;

  @TempDir Path folder;
  private int writes;
  private int forces;

  @Test
  void whatWaitsIsForcedToDiskTogether() throws IOException {
    var config = TestService.config(folder);
    Files.createDirectories(config.journal());
    var state = new ServiceState();
    var journal =
        new Journal(
            config,
            this::counted,
            Recovery.read(config.journal(), state, _ -> true),
            state,
            new Counters(),
            new EventFeed(),
            Observer.NONE,
            InstantSource.system(),
            true);
    while (journal.step()) {} // the beginning of the segment
    writes = 0;
    forces = 0;

    for (int i = 0; i < EVENTS; i++) {
      var day = new Event.DayKey("I" + i, TestService.DATE);
      journal.append(new Event.Cancelled(day, "o" + i));
    }
    int steps = 0;
    while (journal.step()) {
      steps++;
    }

    assertThat(steps).isEqualTo(1);
    assertThat(forces).isEqualTo(1);
    assertThat(writes).isEqualTo(1);
    journal.abandon();
  }

  private JournalFile counted(Path path) throws IOException {
    JournalFile file = JournalFile.open(path);
    return new JournalFile() {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        writes++;
        file.write(bytes, position);
      }

      @Override
      public void truncate(long size) throws IOException {
        file.truncate(size);
      }

      @Override
      public void force() throws IOException {
        forces++;
        file.force();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
