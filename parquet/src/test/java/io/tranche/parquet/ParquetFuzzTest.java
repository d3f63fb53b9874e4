package io.tranche.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.table.ColumnMapping;
import io.tranche.market.table.TableBars;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the bytes, a Parquet file becomes bars or a [DataException], and the JVM lives.
class ParquetFuzzTest {

  @TempDir Path folder;

  @Test
  void answersEveryMutationWithBarsOrADataException() throws IOException {
    var parquet = new ParquetFormat();
    Path file = folder.resolve("fuzz.parquet");
    byte[] sound = sound(parquet, file);
    int count = 1_000;
    int[] read = new int[1];
    Cases.forAll(
        count,
        random -> {
          Cases.write(file, mutated(sound, random));
          try {
            Table table =
                random.nextBoolean()
                    ? parquet.readSingles(file, List.of())
                    : parquet.read(file, List.of());
            TableBars.of(file, parquet, table, ColumnMapping.DEFAULT);
            read[0]++;
          } catch (DataException e) {
            assertThat(e).hasMessageStartingWith(file.toString());
          }
        });
    assertThat(read[0]).isBetween(count / 20, count - count / 20);
  }

  private static byte[] sound(ParquetFormat parquet, Path file) throws IOException {
    int rows = 480;
    String[] symbols = new String[rows];
    long[] times = new long[rows];
    float[] close = new float[rows];
    double[] volume = new double[rows];
    for (int row = 0; row < rows; row++) {
      symbols[row] = row < 240 ? "SH600000" : "SZ000001";
      times[row] = row % 240 * 60L;
      close[row] = row % 7 == 0 ? Float.NaN : 10 + row * 0.01f;
      volume[row] = row * 100;
    }
    Map<String, Table.Column> columns = new LinkedHashMap<>();
    columns.put("symbol", Table.Texts.of(symbols));
    columns.put("datetime", new Table.Times(times));
    columns.put("close", new Table.Singles(close));
    columns.put("volume", new Table.Numbers(volume));
    try (var writer = parquet.create(file)) {
      writer.append(Table.of(columns));
      writer.commit();
    }
    return Files.readAllBytes(file);
  }

  private static byte[] mutated(byte[] sound, SplittableRandom random) {
    byte[] bytes = Arrays.copyOf(sound, sound.length);
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      // Half of the blows go to the footer, which steers everything else.
      int from = random.nextBoolean() ? bytes.length * 2 / 3 : 0;
      int at = random.nextInt(from, bytes.length);
      switch (random.nextInt(8)) {
        case 0 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 1, 2, 3 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 4, 5 -> bytes[at] = (byte) random.nextInt(256);
        default -> {
          int to = random.nextInt(bytes.length);
          System.arraycopy(bytes, at, bytes, to, Math.min(16, bytes.length - Math.max(at, to)));
        }
      }
    }
    return bytes;
  }
}
