package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTensorsTest {

  @TempDir Path folder;

  @Test
  void readsAFileOfTheReferenceImplementation() {
    SafeTensors file = SafeTensors.read(Samples.file("plain.safetensors"));

    assertThat(file.metadata()).containsExactly(Map.entry("format", "pt"));
    StateDict torch = TorchFile.readPolicy(Samples.file("plain.pth"));
    assertThat(elements(file, "weight")).isEqualTo(elements(torch, "weight"));
    assertThat(elements(file, "bias")).isEqualTo(elements(torch, "bias"));
    assertThat(elements(file, "half")).containsExactly(1.5f, Float.POSITIVE_INFINITY);
    assertThat(elements(file, "double")).containsExactly(0.1f);
    assertThat(elements(file, "long")).containsExactly(-3);
  }

  private static float[] elements(SafeTensors file, String name) {
    return elements(file.tensors(), name);
  }

  private static float[] elements(StateDict dict, String name) {
    return Samples.tensor(dict, name).toArray();
  }

  @Test
  void whatIsWrittenComesBack() {
    Path file = folder.resolve("a.safetensors");

    Cases.forAll(
        Cases.count(100, 2_000),
        random -> {
          var written = new SafeTensors(Samples.random(random), Map.of("format", "pt", "é\"", ""));

          written.write(file);

          SafeTensors read = SafeTensors.read(file);
          SameTensors.assertSame(read.tensors(), written.tensors());
          assertThat(read.metadata()).isEqualTo(written.metadata());
          SameTensors.assertSame(WeightFiles.read(file), written.tensors());
        });
  }

  @Test
  void theHeaderEndsAtAMultipleOfEightBytes() throws IOException {
    Path file = folder.resolve("a.safetensors");

    new SafeTensors(new StateDict(Map.of("a", Tensor.of(List.of(1), 2))), Map.of()).write(file);

    String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes[0]).isEqualTo((byte) 56);
    assertThat(new String(bytes, 8, 56, UTF_8))
        .isEqualTo(header + " ".repeat(56 - header.length()));
    assertThat(bytes).hasSize(8 + 56 + 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':{'dtype':'F32','shape':[1],'data_offsets':[4,8]}}|a tensor from byte 0 on, was 4..8",
        "{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]},"
            + "'b':{'dtype':'F32','shape':[1],'data_offsets':[2,6]}}|a tensor from byte 4 on",
        "{'a':{'dtype':'F32','shape':[3],'data_offsets':[0,12]}}|12 bytes of tensors, was 8",
        "{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}|4 bytes of tensors, was 8",
        "{'a':{'dtype':'F32','shape':[3],'data_offsets':[0,8]}}|[3] elements of FLOAT, was 8 bytes",
        "{'a':{'dtype':'F32','shape':[2147483647,2147483647,4],'data_offsets':[0,8]}}|was 8 bytes",
        "{'a':{'dtype':'F32','shape':[-1],'data_offsets':[0,8]}}|a dimension, was -1",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[8,0]}}|a tensor from byte 0 on",
        "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8,9]}}|two data_offsets of a",
        "{'a':{'dtype':'F32','shape':[2]}}|two data_offsets of a",
        "{'a':{'dtype':'F32','shape':[2.5],'data_offsets':[0,8]}}|integers, was VALUE_NUMBER_FLOAT",
        "{'a':{'dtype':'U8','shape':[8],'data_offsets':[0,8]}}|I64 or I8, was U8",
        "{'a':{'dtype':'F32','shape':[99999999999999999999],'data_offsets':[0,8]}}|expected JSON",
        "{'a':{'kind':1}}|dtype, shape and data_offsets of a, was kind",
        "{'a':{},'a':{}}|two data_offsets of a",
        "{'__metadata__':{'a':1}}|VALUE_STRING, was VALUE_NUMBER_INT",
        "{'__metadata__':{'a':'b','a':'c'}}|Duplicate Object property",
        "{} {}|the end of the header",
        "[]|START_OBJECT, was START_ARRAY",
        "{'a'|expected JSON",
      })
  void refusesAWrongHeader(String header, String reason) throws IOException {
    Path file = write(header.replace('\'', '"'), header.length(), 8);

    assertThatThrownBy(() -> SafeTensors.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("a.safetensors")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"-1", "0", "11", "100000001", "9223372036854775807"})
  void refusesAHeaderBeyondTheFile(long length) throws IOException {
    Path file = write("{}", length, 8);

    assertThatThrownBy(() -> SafeTensors.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageEndingWith("within the file and of at most 100 MB, was " + length);
  }

  private Path write(String header, long length, int dataBytes) throws IOException {
    byte[] json = header.getBytes(UTF_8);
    return Files.write(
        folder.resolve("a.safetensors"),
        ByteBuffer.allocate(8 + json.length + dataBytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(length)
            .put(json)
            .array());
  }
}
