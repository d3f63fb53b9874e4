package io.tranche.trainer.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFileTest {

  @TempDir Path folder;
  private final Checkpoint checkpoint = Samples.checkpoint(2, 5);
  private Path file = Path.of("");

  @BeforeEach
  void write() {
    file = folder.resolve("deep/down/002.ckpt");
    CheckpointFile.write(file, checkpoint);
  }

  @Test
  void comesBackWhole() {
    Checkpoint read = CheckpointFile.read(file);

    assertThat(read.position()).isEqualTo(checkpoint.position());
    assertThat(read.metrics()).isEqualTo(checkpoint.metrics());
    assertThat(read.callbacks()).isEqualTo(checkpoint.callbacks());
    assertThat(read.config()).isEqualTo(checkpoint.config());
    assertThat(read.replay()).isEqualTo(checkpoint.replay());
    assertThat(read.algorithm().numbers()).isEqualTo(checkpoint.algorithm().numbers());
    assertThat(read.policy().tensors().keySet())
        .containsExactlyElementsOf(checkpoint.policy().tensors().keySet());
    Tensor weights = Objects.requireNonNull(read.policy().tensor("actor.weight"));
    assertThat(weights).isSameAs(read.policy().tensor("_actor_critic.weight"));
    assertThat(weights.toArray()).containsOnly(2).hasSize(5);
  }

  @Test
  void equalCheckpointsAreEqualBytes() throws IOException {
    Path again = folder.resolve("again.ckpt");

    CheckpointFile.write(again, CheckpointFile.read(file));

    assertThat(again).hasSameBinaryContentAs(file);
  }

  @Test
  void whoeverLooksForWeightsFindsThemInAnyFile() {
    Path pth = folder.resolve("plain.pth");
    TorchFile.write(pth, checkpoint.policy());

    assertThat(CheckpointFile.policyState(file).tensors()).hasSize(2);
    assertThat(CheckpointFile.policyState(pth).tensors()).hasSize(2);
  }

  @Test
  void everyCutIsRefusedByNameAndThePreviousCheckpointUsed() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Path cut = file.resolveSibling("003.ckpt");
    for (int length = 0; length < whole.length; length += Cases.count(7, 1)) {
      Files.write(cut, Arrays.copyOf(whole, length));
      var complaints = new ArrayList<String>();

      var found =
          Objects.requireNonNull(
              CheckpointFolder.newest(folder.resolve("deep/down"), complaints::add));

      assertThat(found.file()).isEqualTo(file);
      assertThat(complaints).singleElement().asString().contains("003.ckpt");
      assertThatThrownBy(() -> CheckpointFile.read(cut))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("003.ckpt");
    }
  }

  @Test
  void noFlippedBitOfAnEntryGoesUnnoticed() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Path flipped = folder.resolve("flipped.ckpt");
    int refused = 0;
    for (int at = 0; at < whole.length; at += Cases.count(17, 1)) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) (1 << at % 8);
      Files.write(flipped, bytes);
      try {
        // What the zip says besides the entries themselves, such as times, may change unnoticed.
        Path again = folder.resolve("again.ckpt");
        CheckpointFile.write(again, CheckpointFile.read(flipped));
        assertThat(again).hasSameBinaryContentAs(file);
      } catch (CheckpointException e) {
        assertThat(e).hasMessageContaining("flipped.ckpt");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(whole.length / Cases.count(17, 1) / 2);
  }

  @Test
  void aNewerVersionIsRefused() throws IOException {
    Map<String, byte[]> entries = entries();
    String manifest = new String(entry(entries, "manifest.json"), UTF_8);
    entries.put(
        "manifest.json", manifest.replace("\"version\":1", "\"version\":2").getBytes(UTF_8));
    rewrite(entries);

    assertThatThrownBy(() -> CheckpointFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageEndingWith(
            "002.ckpt: manifest.json: expected a version up to 1, or a newer Tranche to read it with, was 2");
  }

  @Test
  void aDamagedMissingOrStrangeEntryIsNamed() throws IOException {
    Map<String, byte[]> entries = entries();
    entries.put("config.yml", "seed: 6\n".getBytes(UTF_8));
    rewrite(entries);
    assertThatThrownBy(() -> CheckpointFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("002.ckpt: config.yml: expected the checksum");

    entries.remove("config.yml");
    rewrite(entries);
    assertThatThrownBy(() -> CheckpointFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("002.ckpt: expected an entry config.yml, was none");

    CheckpointFile.write(file, checkpoint);
    entries = entries();
    entries.put("extra", new byte[] {1});
    rewrite(entries);
    assertThatThrownBy(() -> CheckpointFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("002.ckpt: expected entries of its manifest, was extra");
  }

  @Test
  void somethingElseIsRefused() throws IOException {
    Path other = folder.resolve("other.ckpt");
    assertThatThrownBy(() -> CheckpointFile.read(other))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("other.ckpt: expected a file, was nothing there");
    Files.writeString(other, "not a zip file at all, but long enough to be one");
    assertThatThrownBy(() -> CheckpointFile.read(other))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("other.ckpt: expected a whole zip file");
    assertThatThrownBy(() -> CheckpointFile.read(folder)).isInstanceOf(CheckpointException.class);
  }

  @Test
  void aStateThatIsNoPlainValueIsTheCallersMistake() {
    var strange =
        new Checkpoint(
            checkpoint.policy(),
            checkpoint.algorithm(),
            checkpoint.position(),
            Map.of(),
            Map.of("mine", Map.of("path", Path.of("x"))),
            Map.of(),
            null,
            "");

    assertThatThrownBy(() -> CheckpointFile.write(file, strange))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("state.callbacks.mine.path must be a plain value");
  }

  private Map<String, byte[]> entries() throws IOException {
    var entries = new LinkedHashMap<String, byte[]>();
    try (var zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    return entries;
  }

  private static byte[] entry(Map<String, byte[]> entries, String name) {
    return entries.getOrDefault(name, new byte[0]);
  }

  private void rewrite(Map<String, byte[]> entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        var zip = new ZipOutputStream(out)) {
      for (var named : entries.entrySet()) {
        var entry = new ZipEntry(named.getKey());
        var checksum = new CRC32();
        checksum.update(named.getValue());
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(named.getValue().length);
        entry.setCrc(checksum.getValue());
        zip.putNextEntry(entry);
        zip.write(named.getValue());
        zip.closeEntry();
      }
    }
  }
}
