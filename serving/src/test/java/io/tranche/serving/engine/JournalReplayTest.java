package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.LoadedModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalReplayTest {

  private static final int OVERHEAD = 28;

  /// What a record of a decision has after the wish: a number of events and three prices.
  private static final int AFTER_WISH = Integer.BYTES + 3 * Double.BYTES;

  @TempDir Path folder;

  @Test
  void aDecisionThatDiffersByOneBitIsFound() throws IOException {
    try (var service = TestService.open(folder)) {
      for (String each : List.of("A", "B", "C")) {
        service.state(TestService.order("of" + each, each, 1_000));
        service.bars(each, 0, 5);
        service.decide("of" + each);
      }
    }
    List<JournalReplay.Explained> same = compared();
    assertThat(same).hasSize(3).allMatch(each -> each.difference() == null);

    JournalReplay.Explained one = same.get(1);
    change(one.sequence(), one.decided().wish(), Math.nextUp(one.decided().wish()));

    List<JournalReplay.Explained> other = compared();
    assertThat(other).hasSize(3);
    assertThat(other.get(1).difference())
        .isEqualTo(
            "the model wanted %s, but %s is recorded",
            one.decided().wish(), Math.nextUp(one.decided().wish()));
    assertThat(List.of(other.getFirst(), other.getLast()))
        .allMatch(each -> each.difference() == null);
  }

  private List<JournalReplay.Explained> compared() {
    LoadedModel model = LoadedModel.open(folder.resolve("models/demo@1.tranche"));
    var explained = new ArrayList<JournalReplay.Explained>();
    JournalReplay.compare(folder.resolve("journal"), _ -> model, explained::add);
    return explained;
  }

  /// Changes the wish of a decision, and the checksum of its record.
  private void change(long sequence, double from, double to) throws IOException {
    Path file = folder.resolve("journal/0000000001.journal");
    var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    int at = 68; // after the header
    while (bytes.getLong(at + 12) != sequence) {
      at += OVERHEAD + bytes.getInt(at + 4);
    }
    int length = bytes.getInt(at + 4);
    int wish = at + OVERHEAD + length - AFTER_WISH - Double.BYTES;
    assertThat(bytes.getDouble(wish)).isEqualTo(from);
    bytes.putDouble(wish, to);
    var crc = new CRC32C();
    crc.update(bytes.slice(at + 4, 4));
    crc.update(bytes.slice(at + 12, 16 + length));
    bytes.putInt(at + 8, (int) crc.getValue());
    Files.write(file, bytes.array());
  }
}
