package io.tranche.onnx;

import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.KeyMap;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;

/// A graph as weights, so that checkpoints, bundles and other processes carry it like any other
/// policy: three bytes in each float, which holds whole numbers of 24 bits exactly. The first floats
/// are the length and a checksum.
final class GraphBytes {

  private static final String NAME = "onnx.graph";
  private static final int HEAD = 4;
  private static final int LARGEST = 256 << 20;

  private GraphBytes() {}

  /// @throws CheckpointException if the file cannot be read or is too large
  static byte[] read(Path file) {
    try {
      long size = Files.size(file);
      if (size > LARGEST) {
        throw new CheckpointException(file.toString(), "at most %d bytes".formatted(LARGEST), size);
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  static Weights packed(byte[] graph) {
    var weights = new Weights();
    var _ = weights.vector(NAME, HEAD + Math.ceilDiv(graph.length, 3));
    float[] values = weights.values();
    int checksum = checksum(graph);
    values[0] = graph.length >>> 16;
    values[1] = graph.length & 0xffff;
    values[2] = checksum >>> 16;
    values[3] = checksum & 0xffff;
    for (int i = 0; i < graph.length; i++) {
      values[HEAD + i / 3] += (graph[i] & 0xff) << (8 * (i % 3));
    }
    weights.changed();
    return weights;
  }

  static PolicyWeights weights(Weights packed) {
    return new PolicyWeights(List.of(new PolicyWeights.Part(packed, KeyMap.OWN)));
  }

  /// @throws CheckpointException if these weights are no graph, or one that was rounded
  static byte[] unpacked(String where, StateDict weights) {
    Tensor tensor = weights.tensor(NAME);
    if (tensor == null || weights.tensors().size() != 1 || tensor.size() < HEAD) {
      throw new CheckpointException(where, "an ONNX graph", weights.tensors().keySet());
    }
    long length = ((long) tensor.at(0) << 16) + (long) tensor.at(1);
    if (length < 0 || Math.ceilDiv(length, 3) != tensor.size() - HEAD) {
      throw damaged(where, tensor.size());
    }
    byte[] graph = new byte[(int) length];
    for (int i = 0; i < graph.length; i++) {
      graph[i] = (byte) ((int) tensor.at(HEAD + i / 3) >>> (8 * (i % 3)));
    }
    int checksum = checksum(graph);
    if (tensor.at(2) != checksum >>> 16 || tensor.at(3) != (checksum & 0xffff)) {
      throw damaged(where, tensor.size());
    }
    return graph;
  }

  private static CheckpointException damaged(String where, int size) {
    return new CheckpointException(
        where,
        "the bytes of an ONNX graph, in the precision float32",
        size + " numbers with another checksum");
  }

  private static int checksum(byte[] graph) {
    var checksum = new CRC32();
    checksum.update(graph);
    return (int) checksum.getValue();
  }
}
