package io.tranche.market.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.testkit.Cases;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Whatever the bytes, a CSV file becomes a table, bars, or a [DataException].
class CsvFuzzTest {

  private static final byte[] SOUND =
      """
      symbol,datetime,open,high,low,close,volume
      "SH,1",2021-03-01 09:30:00,1.5,2,1,1.75,100
      "SH,1",2021-03-01 09:31:00,1.5,2.5,1e0,1.75,
      SZ2,2021-03-01 09:30:00,nan,2,1,1.75,100
      SZ2,2021-03-01T09:32,15,20,10,17.5,123456789
      """
          .getBytes(UTF_8);
  private static final byte[] TELLING = ",\"\n\r0123456789-.eE:T nN\0\u007f".getBytes(UTF_8);

  private int read;
  private int refused;

  @Test
  void answersEveryMutationWithATableOrADataException() {
    Path name = Path.of("fuzz.csv");
    int count = Cases.count(10_000, 1_000_000);
    Cases.forAll(
        count,
        random -> {
          byte[] bytes = mutated(random);
          attempt(
              () ->
                  CsvFormat.readTolerantly(
                      name,
                      () -> new ByteArrayInputStream(bytes),
                      Set.of("datetime"),
                      Set.of("symbol"),
                      (_, _, _, _) -> {}));
          attempt(
              () -> {
                Table table =
                    CsvFormat.read(name, () -> new ByteArrayInputStream(bytes), List.of());
                TableBars.of(name, new CsvFormat(), table, ColumnMapping.DEFAULT);
              });
        });
    assertThat(read).isGreaterThan(count / 10);
    assertThat(refused).isGreaterThan(count / 10);
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private void attempt(Attempt attempt) {
    try {
      attempt.run();
      read++;
    } catch (DataException e) {
      assertThat(e).hasMessageStartingWith("fuzz.csv").hasMessageContaining(": expected ");
      refused++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] mutated(SplittableRandom random) {
    byte[] bytes = Arrays.copyOf(SOUND, SOUND.length);
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = TELLING[random.nextInt(TELLING.length)];
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> { // a stretch twice
          int length = Math.min(random.nextInt(1, 60), bytes.length - at);
          byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
          System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
          bytes = longer;
        }
        default -> { // a stretch moved
          int to = random.nextInt(bytes.length);
          int length = Math.min(20, bytes.length - Math.max(at, to));
          System.arraycopy(bytes, at, bytes, to, length);
        }
      }
    }
    return bytes;
  }
}
