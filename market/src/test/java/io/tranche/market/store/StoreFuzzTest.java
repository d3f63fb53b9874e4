package io.tranche.market.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damages the files of a store at random: what cannot be read is a [DataException], nothing else.
class StoreFuzzTest {

  private static final int BARS = 40;

  @TempDir Path folder;
  private byte[] calendar = {};
  private byte[] instruments = {};
  private byte[] bin = {};
  private Path binFile = Path.of("");

  private int read;
  private int refused;

  /// A reader that refuses everything, or nothing, is as wrong as one that fails.
  @AfterEach
  void someAreReadAndSomeRefused() {
    assertThat(read).isPositive();
    assertThat(refused).isPositive();
  }

  @BeforeEach
  void store() throws IOException {
    var files = new StoreFiles(folder, "1min");
    var text = new StringBuilder();
    for (int i = 0; i < BARS; i++) {
      text.append(BarTime.format(BarTime.parse("2021-03-01 09:30") + i * 60L)).append('\n');
    }
    files.calendar(text.toString());
    files.instruments("SH1\t2021-03-01 09:30:00\t2021-03-02\nSH1\t2021-03-03\t2021-03-04\n");
    float[] values = new float[BARS - 3];
    Arrays.fill(values, 1.5f);
    binFile = files.bin("SH1", "close", 2, values);
    calendar = Files.readAllBytes(folder.resolve("calendars/1min.txt"));
    instruments = Files.readAllBytes(folder.resolve("instruments/all.txt"));
    bin = Files.readAllBytes(binFile);
  }

  @Test
  void damagedBinFiles() {
    QlibStore store = QlibStore.open(folder, Frequency.MINUTE);
    FeatureQuery query =
        store.query(List.of("$close", "Mean($close, 3)"), Long.MIN_VALUE, Long.MAX_VALUE);
    Cases.forAll(
        Cases.count(10_000, 1_000_000),
        random -> {
          Cases.write(binFile, mutated(random, bin));
          try {
            assertThat(query.rows("SH1").size()).isBetween(0, BARS);
            read++;
          } catch (DataException e) {
            assertThat(e).hasMessageContaining(binFile.toString());
            refused++;
          }
        });
  }

  @Test
  void damagedCalendars() {
    Path file = folder.resolve("calendars/1min.txt");
    Cases.forAll(
        Cases.count(10_000, 1_000_000),
        random -> {
          Cases.write(file, mutated(random, calendar));
          try {
            QlibStore store = QlibStore.open(folder, Frequency.MINUTE);
            Calendar bars = store.calendar();
            for (int i = 1; i < bars.size(); i++) {
              assertThat(bars.time(i)).isGreaterThan(bars.time(i - 1));
            }
            assertThat(store.calendar(Frequency.DAY, false).days()).isEqualTo(bars.days());
            read++;
          } catch (DataException e) {
            assertThat(e).hasMessageContaining(file.toString());
            refused++;
          }
        });
  }

  @Test
  void damagedInstruments() {
    QlibStore store = QlibStore.open(folder, Frequency.MINUTE);
    Path file = folder.resolve("instruments/all.txt");
    Cases.forAll(
        Cases.count(10_000, 1_000_000),
        random -> {
          Cases.write(file, mutated(random, instruments));
          try {
            assertThat(store.instruments("all", 0, Long.MAX_VALUE).values())
                .allSatisfy(
                    spans -> assertThat(spans).isNotEmpty().allMatch(s -> s.start() <= s.end()));
            read++;
          } catch (DataException e) {
            assertThat(e).hasMessageContaining(file.toString());
            refused++;
          }
        });
  }

  private static byte[] mutated(SplittableRandom random, byte[] original) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      int at = random.nextInt(Math.min(bytes.length, random.nextBoolean() ? 6 : bytes.length) + 1);
      switch (random.nextInt(5)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> {
          bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(1, 9));
        }
        case 2 -> {
          byte[] doubled = Arrays.copyOf(bytes, bytes.length + bytes.length - at);
          System.arraycopy(bytes, at, doubled, bytes.length, bytes.length - at);
          bytes = doubled;
        }
        default -> {
          if (at < bytes.length) {
            bytes[at] =
                random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : "0123456789-: \t\n".getBytes(StandardCharsets.US_ASCII)[random.nextInt(15)];
          }
        }
      }
      if (bytes.length == 0) {
        break;
      }
    }
    return bytes;
  }
}
