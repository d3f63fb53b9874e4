package io.tranche.policy.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Any bytes give either tensors or a [CheckpointException].
class WeightsFuzzTest {

  @TempDir Path folder;

  @Test
  void mutatedFilesAreReadOrRefused() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (String name :
        List.of("plain.pth", "deflated.pth", "views.pth", "types.pth", "plain.safetensors")) {
      seeds.add(Files.readAllBytes(Samples.file(name)));
    }
    seeds.add(Files.readAllBytes(Samples.file("checkpoint.pth")));

    fuzz(random -> mutate(seeds.get(random.nextInt(seeds.size())), random));
  }

  /// Checksums catch most changes of a file; the pickle reader must withstand the rest by itself.
  @Test
  void mutatedPicklesWithRightChecksumsAreReadOrRefused() {
    List<Path> seeds =
        List.of(
            Samples.file("plain.pth"), Samples.file("views.pth"), Samples.file("checkpoint.pth"));

    fuzz(random -> withMutatedPickle(seeds.get(random.nextInt(seeds.size())), random));
  }

  private interface Mutant {
    byte[] make(SplittableRandom random) throws IOException;
  }

  private void fuzz(Mutant mutant) {
    Path file = folder.resolve("fuzz");
    int count = Cases.count(1_000, 1_000_000);
    int[] refused = new int[1];

    Cases.forAll(
        count,
        random -> {
          try {
            Cases.write(file, mutant.make(random));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          try {
            WeightFiles.read(file);
            TrainerCheckpoint.read(file);
          } catch (CheckpointException expected) {
            refused[0]++;
          }
        });

    assertThat(refused[0]).isBetween(count / 10, count);
  }

  private static byte[] withMutatedPickle(Path seed, SplittableRandom random) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var source = new ZipFile(seed.toFile());
        var target = new ZipOutputStream(out)) {
      target.setLevel(Deflater.NO_COMPRESSION);
      for (ZipEntry entry : source.stream().toList()) {
        byte[] contents = source.getInputStream(entry).readAllBytes();
        target.putNextEntry(new ZipEntry(entry.getName()));
        target.write(entry.getName().endsWith("data.pkl") ? mutate(contents, random) : contents);
      }
    }
    return out.toByteArray();
  }

  private static byte[] mutate(byte[] seed, SplittableRandom random) {
    byte[] bytes = seed.clone();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(at, 1)); // cut off
        case 3 -> { // copy a piece elsewhere
          int from = random.nextInt(bytes.length);
          int length = Math.min(random.nextInt(1, 20), bytes.length - Math.max(from, at));
          System.arraycopy(bytes, from, bytes, at, length);
        }
        default -> // numbers at their edges
            Arrays.fill(
                bytes,
                at,
                Math.min(at + 4, bytes.length),
                (byte) (random.nextBoolean() ? 0xff : 0x7f));
      }
    }
    return bytes;
  }
}
