package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TorchFileTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"plain.pth", "deflated.pth", "big_endian.pth"})
  void readsAStateDictHoweverTheArchiveIsMade(String name) {
    StateDict dict = TorchFile.readPolicy(Samples.file(name));

    assertThat(dict.tensors().keySet()).containsExactly("weight", "bias");
    assertTensor(dict, "weight", List.of(2, 3), 0.5f, 0.75f, 1, 1.25f, 1.5f, 1.75f);
    assertTensor(dict, "bias", List.of(2), -1, -0.75f);
  }

  @Test
  void readsViewsOfOneStorage() {
    StateDict dict = TorchFile.readPolicy(Samples.file("views.pth"));

    assertTensor(
        dict,
        "transposed",
        List.of(4, 3),
        new float[] {0.5f, 1.5f, 2.5f, 0.75f, 1.75f, 2.75f, 1, 2, 3, 1.25f, 2.25f, 3.25f});
    assertTensor(dict, "slice", List.of(2, 2), 1.75f, 2, 2.75f, 3);
    assertTensor(dict, "row", List.of(4), 2.5f, 2.75f, 3, 3.25f);
    assertTensor(dict, "scalar", List.of(), 3.5f);
    assertTensor(dict, "empty", List.of(0, 4));
    assertTensor(dict, "parameter", List.of(4), 0.5f, 0.75f, 1, 1.25f);
    assertThat(dict.tensor("alias")).isSameAs(Samples.tensor(dict, "whole"));
  }

  @Test
  void readsOtherTypesAsFloats() {
    StateDict dict = TorchFile.readPolicy(Samples.file("types.pth"));

    float inf = Float.POSITIVE_INFINITY;
    assertTensor(dict, "half", List.of(8), 0, -0f, 1, -2.5f, inf, Float.NaN, 65504, 0x1p-24f);
    assertTensor(
        dict, "bfloat16", List.of(8), 0, -0f, 1, -2.5f, inf, Float.NaN, 65536, 0x1.02p-24f);
    assertTensor(
        dict,
        "double",
        List.of(8),
        new float[] {
          0,
          -0f,
          (float) (1 / 3.0),
          (float) (-2.5 / 3),
          inf,
          Float.NaN,
          (float) (65504 / 3.0),
          (float) ((double) 6e-8f / 3)
        });
    assertTensor(dict, "long", List.of(4), 0, -1, 1 << 24, -0x1p62f);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int8.pth|a storage of float, half, bfloat16, double or long, was CharStorage",
        "long_too_large.pth|data/0: expected integers that a float32 holds, was 16777217",
        "expanded.pth|expected tensors that do not overlap, was [1000]",
        "legacy.pth|a zip file written by torch.save, was another format; load and save a file",
        "README.md|a zip file written by torch.save, was another format",
        "nothing.pth|expected a file, was nothing there",
      })
  void refusesWithAReason(String name, String reason) {
    assertThatThrownBy(() -> TorchFile.readPolicy(Samples.file(name)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(reason);
  }

  @Test
  void refusesACheckpointWithoutTensors() {
    Path file = folder.resolve("a.pth");
    TorchFile.write(file, Map.of("lr", 0.5));

    assertThatThrownBy(() -> TorchFile.readPolicy(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("expected a tensor lr, was Real[value=0.5]");
  }

  @Test
  void whatIsWrittenComesBack() {
    Path file = folder.resolve("a.pth");

    Cases.forAll(
        Cases.count(100, 2_000),
        random -> {
          StateDict dict = Samples.random(random);

          TorchFile.write(file, dict);

          SameTensors.assertSame(TorchFile.readPolicy(file), dict);
          assertThat(TorchFile.readPolicy(file).tensors().keySet())
              .containsExactlyElementsOf(dict.tensors().keySet());
        });
  }

  @Test
  void plainValuesComeBack() {
    Path file = folder.resolve("a.pth");
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("null", null);
    values.put("truths", List.of(true, false));
    values.put("integers", List.of(0L, -1L, 1L << 31, Long.MIN_VALUE, Long.MAX_VALUE));
    values.put("reals", List.of(0.1, Double.NaN, Double.NEGATIVE_INFINITY, -0.0));
    values.put("texts", List.of("", "é€\uD83D\uDE00\n"));
    values.put("nested", Map.of(3L, Map.of("a", List.of(List.of()))));
    values.put("empty", Map.of());

    TorchFile.write(file, values);

    assertThat(TorchFile.read(file)).isEqualTo(values);
  }

  @Test
  void theSameValuesGiveTheSameBytes() throws IOException {
    StateDict dict = PolicyWeights.ppo(Samples.ppo(1)).stateDict();

    TorchFile.write(folder.resolve("a.pth"), dict);
    TorchFile.write(folder.resolve("b.pth"), dict);

    assertThat(folder.resolve("a.pth")).hasSameBinaryContentAs(folder.resolve("b.pth"));
  }

  /// What the reader of real torch relies on; the real one reads our files in the full run.
  @Test
  void theArchiveIsLaidOutAsTorchDoes() throws IOException {
    Path file = folder.resolve("a.pth");
    StateDict dict = TorchFile.readPolicy(Samples.file("checkpoint.pth"));

    TorchFile.write(file, dict);

    try (var ours = new ZipFile(file.toFile());
        var real = new ZipFile(Samples.file("checkpoint.pth").toFile())) {
      assertThat(storages(ours)).isEqualTo(storages(real)); // the same, each once
      assertThat(contents(ours, "archive/version")).isEqualTo("3\n".getBytes(US_ASCII));
      assertThat(contents(ours, "archive/byteorder")).isEqualTo("little".getBytes(US_ASCII));
    }
    for (int start : contentStarts(Files.readAllBytes(file))) {
      assertThat(start % 64).isZero();
    }
  }

  private static List<ByteBuffer> storages(ZipFile zip) throws IOException {
    var storages = new ArrayList<ByteBuffer>();
    String first = zip.stream().findFirst().orElseThrow().getName();
    String top = first.substring(0, first.indexOf('/'));
    for (int i = 0; zip.getEntry(top + "/data/" + i) != null; i++) {
      assertThat(zip.getEntry(top + "/data/" + i).getMethod()).isEqualTo(ZipEntry.STORED);
      storages.add(ByteBuffer.wrap(contents(zip, top + "/data/" + i)));
    }
    return storages;
  }

  private static byte[] contents(ZipFile zip, String name) throws IOException {
    return zip.getInputStream(zip.getEntry(name)).readAllBytes();
  }

  /// Walks through the local headers.
  private static List<Integer> contentStarts(byte[] file) {
    var starts = new ArrayList<Integer>();
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (bytes.getInt(at) == 0x04034b50) {
      int start = at + 30 + bytes.getShort(at + 26) + bytes.getShort(at + 28);
      starts.add(start);
      at = start + bytes.getInt(at + 18);
    }
    return starts;
  }

  @Test
  void keepsTheOldFileWhenItCannotWrite() {
    Path file = folder.resolve("no such folder/a.pth");

    assertThatThrownBy(() -> TorchFile.write(file, new StateDict(Map.of())))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a place that can be written");
    assertThatThrownBy(() -> TorchFile.write(folder.resolve("a.pth"), Map.of("a", 'a')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value must be plain, was of java.lang.Character");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aChangedWeightIsNoticed() throws IOException {
    byte[] bytes = Files.readAllBytes(Samples.file("plain.pth"));
    Path file = folder.resolve("a.pth");
    bytes[indexOf(bytes, 0.5f)] ^= 1;
    Files.write(file, bytes);

    assertThatThrownBy(() -> TorchFile.readPolicy(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("data/0: expected 24 bytes that match their checksum, was damaged");
  }

  private static int indexOf(byte[] bytes, float value) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (buffer.getFloat(at) != value) {
      at++;
    }
    return at;
  }

  @Test
  void hostilePicklesAreRefused() throws IOException {
    // A list that holds itself; a view of 2^62 elements; one behind the end.
    assertRefused("}X\1\0\0\0a]q\0h\0as.", "at most 50 deep, was more");
    String storage = "((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0" + "0X\3\0\0\0cpuK\1tQ";
    assertRefused(
        "}X\1\0\0\0actorch._utils\n_rebuild_tensor_v2\n"
            + storage
            + "K\0J\377\377\377\177J\377\377\377\177\206K\0K\0\206\211}tRs.",
        "tensors that do not overlap, was [2147483647, 2147483647]");
    assertRefused(
        "}X\1\0\0\0actorch._utils\n_rebuild_tensor_v2\n" + storage + "K\1K\1\205K\1\205\211}tRs.",
        "a view within the 1 elements of storage 0, was shape [1], strides [1] from 1");
  }

  @Test
  void muchOfLittleIsRefused() throws IOException {
    // 2,000 times a dict of 1,000 times the same tensor; then 20,000 times a long name.
    String tensor =
        "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
            + "0X\3\0\0\0cpuK\1tQK\0))\211}tRq\1";
    String dict = "}q\2(X\1\0\0\0a" + tensor + "X\1\0\0\0bh\1".repeat(1_000) + "u";
    assertRefused("](" + dict + "h\2".repeat(2_000) + "e.", "1000000 values");
    String name = "X\0\20\0\0" + "m".repeat(4_096) + "X\1\0\0\0n\223q\1";
    assertRefused("](" + name + "h\1".repeat(20_000) + "e.", "1000000 values");
  }

  @Test
  void aCallIsAName() throws IOException {
    Path file = hostile("}X\1\0\0\0acposix\nsystem\nX\2\0\0\0ls\205Rs.");

    assertThat(TorchFile.read(file))
        .isEqualTo(Map.of("a", new TorchFile.Opaque("an object of posix.system")));
    assertThatThrownBy(() -> TorchFile.readPolicy(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageEndingWith("expected a tensor a, was an object of posix.system");
  }

  private void assertRefused(String pickle, String reason) throws IOException {
    Path file = hostile(pickle);
    assertThatThrownBy(() -> TorchFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(reason);
  }

  private Path hostile(String pickle) throws IOException {
    Path file = folder.resolve("hostile.pth");
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.setLevel(0); // repetitions would pass for a bomb
      zip.putNextEntry(new ZipEntry("a/data.pkl"));
      zip.write(pickle.getBytes(ISO_8859_1));
      zip.putNextEntry(new ZipEntry("a/data/0"));
      zip.write(new byte[4]);
    }
    return file;
  }

  @Test
  void aZipBombIsRefused() throws IOException {
    Path file = folder.resolve("bomb.pth");
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("a/data.pkl"));
      zip.write(new byte[1 << 20]);
    }

    assertThatThrownBy(() -> TorchFile.readPolicy(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("contents of at most 64 times the file's size, was more");
  }

  private static void assertTensor(
      StateDict dict, String name, List<Integer> shape, float... elements) {
    Tensor tensor = Samples.tensor(dict, name);
    assertThat(tensor.shape()).isEqualTo(shape);
    assertThat(tensor.toArray()).isEqualTo(elements);
  }
}
