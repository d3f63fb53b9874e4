package io.tranche.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.files.Archive;
import io.tranche.files.ArchiveFormat;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleFileTest {

  @TempDir Path folder;
  private final ModelBundle bundle = Bundles.of(2);
  private Path file = Path.of("");

  @BeforeEach
  void write() {
    file = folder.resolve("deep/down/model.tranche");
    BundleFile.write(file, bundle);
  }

  @Test
  void comesBackWhole() {
    ModelBundle read = BundleFile.read(file);

    assertThat(read.spec().toYaml()).isEqualTo(bundle.spec().toYaml());
    assertThat(read.lineage()).isEqualTo(bundle.lineage());
    assertThat(read.metrics()).isEqualTo(bundle.metrics());
    assertThat(read.members()).hasSize(2);
    for (int i = 0; i < 2; i++) {
      Map<String, Tensor> expected = bundle.members().get(i).tensors();
      Map<String, Tensor> found = read.members().get(i).tensors();
      assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
      expected.forEach(
          (name, tensor) ->
              assertThat(Objects.requireNonNull(found.get(name)).sameAs(tensor)).isTrue());
    }
  }

  @Test
  void equalBundlesAreEqualBytes() {
    Path again = folder.resolve("again.tranche");

    BundleFile.write(again, BundleFile.read(file));

    assertThat(again).hasSameBinaryContentAs(file);
  }

  @Test
  void itsPartsHaveSizesAndDigests() {
    List<BundleFile.Part> parts = BundleFile.parts(file);

    assertThat(parts.stream().map(BundleFile.Part::name))
        .containsExactly(
            "model.yml",
            "lineage.json",
            "metrics.json",
            "weights/0.safetensors",
            "weights/1.safetensors");
    assertThat(parts).allSatisfy(part -> assertThat(part.sha256()).hasSize(64));
  }

  @Test
  void everyCutIsRefusedByName() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Path cut = folder.resolve("cut.tranche");
    for (int length = 0; length < whole.length; length += Cases.count(61, 1)) {
      Files.write(cut, Arrays.copyOf(whole, length));

      refused(cut, "cut.tranche: expected");
    }
  }

  @Test
  void damagedMissingExtraAndSwappedPartsAreNamed() throws IOException {
    Map<String, byte[]> parts = parts();
    byte[] first = part(parts, "weights/0.safetensors");
    byte[] manifest = manifest(parts);

    Map<String, byte[]> damaged = new LinkedHashMap<>(parts);
    byte[] flipped = first.clone();
    flipped[flipped.length - 1] ^= 1;
    damaged.put("weights/0.safetensors", flipped);
    zip(manifest, damaged, ZipEntry.STORED);
    refused(file, "model.tranche: weights/0.safetensors: expected the checksum");

    Map<String, byte[]> swapped = new LinkedHashMap<>(parts);
    swapped.put("weights/0.safetensors", part(parts, "weights/1.safetensors"));
    swapped.put("weights/1.safetensors", first);
    zip(manifest, swapped, ZipEntry.STORED);
    refused(file, "model.tranche: weights/0.safetensors: expected the checksum");

    Map<String, byte[]> missing = new LinkedHashMap<>(parts);
    missing.remove("weights/1.safetensors");
    zip(manifest, missing, ZipEntry.STORED);
    refused(file, "model.tranche: expected an entry weights/1.safetensors, was none");
    zip(manifest(missing), missing, ZipEntry.STORED);
    refused(file, "model.tranche: expected an entry weights/1.safetensors, was none");

    Map<String, byte[]> extra = new LinkedHashMap<>(parts);
    extra.put("../../outside", new byte[] {1});
    zip(manifest, extra, ZipEntry.STORED);
    refused(file, "model.tranche: expected entries of its manifest, was ../../outside");
    zip(manifest(extra), extra, ZipEntry.STORED);
    refused(file, "expected no part besides");
  }

  @Test
  void compressedPartsAreRefusedBeforeTheyAreUnpacked() throws IOException {
    Map<String, byte[]> bomb = parts();
    bomb.put("weights/1.safetensors", new byte[50_000_000]);

    zip(manifest(bomb), bomb, ZipEntry.DEFLATED);

    refused(file, "expected an entry that is not compressed, was one that is");
  }

  @Test
  void aRightChecksumIsNotEnough() throws IOException {
    Map<String, byte[]> parts = parts();
    byte[] manifest =
        new String(manifest(parts), UTF_8)
            .replaceFirst("\"sha256\":\"..", "\"sha256\":\"zz")
            .getBytes(UTF_8);

    zip(manifest, parts, ZipEntry.STORED);

    refused(file, "model.tranche: model.yml: expected the SHA-256 zz");
  }

  @Test
  void twoPartsOfOneNameAreRefused() throws IOException {
    // The zip is changed where it names the second member: the writer would not do it.
    String whole = new String(Files.readAllBytes(file), ISO_8859_1);
    int manifestEnd = whole.indexOf("}}}");

    Files.write(
        file,
        (whole.substring(0, manifestEnd)
                + whole.substring(manifestEnd).replace("weights/1.safe", "weights/0.safe"))
            .getBytes(ISO_8859_1));

    refused(file, "weights/0.safetensors: expected one entry of a name, was two");
  }

  @Test
  void partsThatAreNestedWithoutEndAreRefused() throws IOException {
    int depth = 100_000;
    var deep =
        Map.of(
            "model.yml", "[".repeat(depth) + "]".repeat(depth),
            "lineage.json", "[".repeat(depth) + "]".repeat(depth),
            "metrics.json", "{\"a\":".repeat(depth) + "1" + "}".repeat(depth));
    for (var each : deep.entrySet()) {
      write();
      Map<String, byte[]> parts = parts();
      parts.put(each.getKey(), each.getValue().getBytes(UTF_8));
      zip(manifest(parts), parts, ZipEntry.STORED);

      refused(file, "model.tranche: " + each.getKey());
    }
  }

  @Test
  void lengthsBeyondTheFileAreRefusedWithoutMemoryForThem() throws IOException {
    for (long length : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 1L << 40, 99_000_000}) {
      write();
      Map<String, byte[]> parts = parts();
      byte[] weights = part(parts, "weights/0.safetensors").clone();
      ByteBuffer.wrap(weights).order(ByteOrder.LITTLE_ENDIAN).putLong(0, length);
      parts.put("weights/0.safetensors", weights);
      zip(manifest(parts), parts, ZipEntry.STORED);

      refused(file, "weights/0.safetensors: expected a safetensors header within the file");
    }
    for (String offsets : List.of("[0,9223372036854775807]", "[0,-1]", "[-8,8]")) {
      write();
      Map<String, byte[]> parts = parts();
      String weights = new String(part(parts, "weights/0.safetensors"), ISO_8859_1);
      String first = weights.replaceFirst("(?s).*?\"data_offsets\":(\\[.*?]).*", "$1");
      byte[] changed = weights.replaceFirst(Pattern.quote(first), offsets).getBytes(ISO_8859_1);
      int shift = changed.length - weights.length();
      ByteBuffer header = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
      header.putLong(0, header.getLong(0) + shift);
      parts.put("weights/0.safetensors", changed);
      zip(manifest(parts), parts, ZipEntry.STORED);

      refused(file, "model.tranche: weights/0.safetensors: ");
    }
  }

  @Test
  void sizesThatTheWeightsDoNotBearOutAreRefused() throws IOException {
    for (String hidden : List.of("hidden: 5", "hidden: 999999", "hidden: 4\n    depth: 999999")) {
      Map<String, byte[]> parts = parts();
      String yaml = new String(part(parts, "model.yml"), UTF_8);
      parts.put("model.yml", yaml.replace("hidden: 4", hidden).getBytes(UTF_8));
      zip(manifest(parts), parts, ZipEntry.STORED);

      refused(file, "weights/0.safetensors: expected the weights of this model, was ");
    }
  }

  @Test
  void weightsOfAnotherNetworkOrNotFiniteAreNeverWritten() {
    Path other = folder.resolve("other.tranche");
    StateDict wide = Bundles.weights(1, 8);
    var tensors = new LinkedHashMap<>(bundle.members().getFirst().tensors());
    String name = tensors.keySet().iterator().next();
    Tensor old = Objects.requireNonNull(tensors.get(name));
    float[] broken = old.toArray();
    broken[0] = Float.NaN;
    tensors.put(name, Tensor.of(old.shape(), broken));

    for (StateDict wrong : List.of(wide, new StateDict(tensors))) {
      assertThatThrownBy(() -> BundleFile.write(other, with(wrong)))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("other.tranche: weights/1.safetensors: expected the weights of");
      assertThat(other).doesNotExist();
    }
  }

  private ModelBundle with(StateDict second) {
    return new ModelBundle(
        bundle.spec(),
        List.of(bundle.members().getFirst(), second),
        bundle.lineage(),
        bundle.metrics());
  }

  @Test
  void otherFormatsAndVersionsAreRefused() throws IOException {
    Map<String, byte[]> parts = parts();
    try (var out = Files.newOutputStream(file)) {
      Archive.write(new ArchiveFormat("tranche-checkpoint", 1, false), parts, out);
    }
    refused(file, "manifest.json: expected the format tranche-model, was tranche-checkpoint");

    try (var out = Files.newOutputStream(file)) {
      Archive.write(new ArchiveFormat("tranche-model", 3, true), parts, out);
    }
    refused(
        file,
        "manifest.json: expected a version up to 2, or a newer Tranche to read it with, was 3");

    TorchFile.write(file, bundle.members().getFirst());
    refused(file, "model.tranche: expected an entry manifest.json, was none");
    refused(folder, "expected a file, was a folder");
    refused(folder.resolve("nothing"), "nothing: expected a file, was nothing there");
    Files.writeString(file, "no zip file");
    refused(file, "model.tranche: expected a whole zip file");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsSaidAndNothingIsLeft() throws IOException {
    Path target = Files.createDirectory(folder.resolve("taken"));

    assertThatThrownBy(() -> BundleFile.write(target, bundle))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("taken: expected a place that can be written");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("deep", "taken");
    }
  }

  private static void refused(Path file, String message) {
    assertThatThrownBy(() -> BundleFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(message);
  }

  private Map<String, byte[]> parts() throws IOException {
    return new LinkedHashMap<>(Archive.read(BundleFile.FORMAT, file).entries());
  }

  private static byte[] part(Map<String, byte[]> parts, String name) {
    return Objects.requireNonNull(parts.get(name));
  }

  /// Returns the manifest that these parts would get.
  private static byte[] manifest(Map<String, byte[]> parts) throws IOException {
    var out = new ByteArrayOutputStream();
    Archive.write(BundleFile.FORMAT, parts, out);
    String zip = new String(out.toByteArray(), ISO_8859_1);
    int start = zip.indexOf("{\"format\"");
    return zip.substring(start, zip.indexOf("}}}", start) + 3).getBytes(UTF_8);
  }

  private void zip(byte[] manifest, Map<String, byte[]> parts, int method) throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      put(zip, "manifest.json", manifest, method);
      for (var part : parts.entrySet()) {
        put(zip, part.getKey(), part.getValue(), method);
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes, int method)
      throws IOException {
    var entry = new ZipEntry(name);
    var checksum = new CRC32();
    checksum.update(bytes);
    entry.setMethod(method);
    entry.setSize(bytes.length);
    entry.setCrc(checksum.getValue());
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }
}
