package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.files.Archive;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.Precision;
import io.tranche.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever the bytes, a bundle comes out or a [CheckpointException].
class BundleFuzzTest {

  private static final List<Long> NUMBERS =
      List.of(0L, 1L, -1L, 0x7fffffffL, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40);

  @TempDir Path folder;

  private Path file(Precision precision) {
    Path file = folder.resolve("model.tranche");
    BundleFile.write(file, Bundles.of(2, precision));
    return file;
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void mutatedFilesAreReadOrRefused(Precision precision) throws IOException {
    byte[] whole = Files.readAllBytes(file(precision));

    fuzz(random -> mutated(whole, random));
  }

  /// Checksums stop most changes of a file; behind them every part must hold out by itself.
  @ParameterizedTest
  @EnumSource(Precision.class)
  void mutatedPartsWithRightChecksumsAreReadOrRefused(Precision precision) throws IOException {
    Map<String, byte[]> entries = Archive.read(BundleFile.FORMAT, file(precision)).entries();
    List<String> names = List.copyOf(entries.keySet());

    fuzz(
        random -> {
          var parts = new LinkedHashMap<>(entries);
          String name = names.get(random.nextInt(names.size()));
          switch (random.nextInt(8)) {
            case 0 -> parts.remove(name);
            case 1 -> parts.put(name, entry(entries, names.get(random.nextInt(names.size()))));
            default -> parts.put(name, mutated(entry(entries, name), random));
          }
          return packed(parts);
        });
  }

  private static byte[] entry(Map<String, byte[]> entries, String name) {
    return Objects.requireNonNull(entries.get(name));
  }

  private static byte[] packed(Map<String, byte[]> parts) {
    var out = new ByteArrayOutputStream();
    try {
      Archive.write(BundleFile.FORMAT, parts, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private void fuzz(Function<SplittableRandom, byte[]> mutant) {
    Path mutated = folder.resolve("fuzz");
    int count = Cases.count(200, 50_000);
    int[] refused = new int[1];

    Cases.forAll(
        count,
        random -> {
          Cases.write(mutated, mutant.apply(random));
          try {
            BundleFile.read(mutated);
          } catch (CheckpointException expected) {
            assertThat(expected).hasMessageContaining("fuzz");
            refused[0]++;
          }
        });

    assertThat(refused[0]).isBetween(count / 10, count);
  }

  private static byte[] mutated(byte[] whole, SplittableRandom random) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes = Arrays.copyOf(bytes, 1 + at);
        case 3 -> {
          long number = NUMBERS.get(random.nextInt(NUMBERS.size()));
          byte[] digits = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
          System.arraycopy(digits, 0, bytes, at, Math.min(digits.length, bytes.length - at));
        }
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(random.nextInt(64), bytes.length - Math.max(at, from));
          System.arraycopy(bytes.clone(), from, bytes, at, length);
        }
      }
    }
    return bytes;
  }
}
