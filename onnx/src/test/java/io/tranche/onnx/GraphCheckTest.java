package io.tranche.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.policy.weights.CheckpointException;
import io.tranche.testkit.Cases;
import org.junit.jupiter.api.Test;

/// What is refused before ONNX Runtime sees it.
final class GraphCheckTest {

  @Test
  void tensorsInOtherFilesAreRefused() {
    assertRefused(
        new GraphWriter().external("w"), "m.onnx: expected all tensors in this file, was external data");
  }

  @Test
  void operatorsOfOthersAreRefused() {
    assertRefused(
        new GraphWriter().node("Steal", "com.example", "y", "x"),
        "m.onnx: expected operators of ONNX, was custom operators of 'com.example'");
    assertRefused(
        new GraphWriter().operators("com.microsoft", 1),
        "m.onnx: expected operators of ONNX, was custom operators of 'com.microsoft'");
    assertRefused(
        new GraphWriter().model(25),
        "m.onnx: expected operators of ONNX, was a graph with functions of its own");
  }

  @Test
  void whatIsNoGraphIsRefused() {
    assertThatThrownBy(() -> GraphCheck.require("m.onnx", new byte[0]))
        .hasMessage("m.onnx: expected an ONNX graph, was an empty file");
    assertThatThrownBy(() -> GraphCheck.require("m.onnx", "PK\3\4 a zip".getBytes()))
        .isInstanceOf(CheckpointException.class)
        .hasMessageStartingWith("m.onnx: expected an ONNX graph, was ");
  }

  @Test
  void damagedFilesEndInOneMessage() {
    byte[] sound = new GraphWriter().constant("w", new int[] {2}, 1, 2).bytes();
    GraphCheck.require("m.onnx", sound);
    Cases.forAll(
        Cases.count(2_000, 100_000),
        random -> {
          byte[] damaged = sound.clone();
          for (int i = random.nextInt(1, 4); i > 0; i--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
          }
          try {
            GraphCheck.require("m.onnx", damaged);
          } catch (CheckpointException e) {
            assertThat(e).hasMessageStartingWith("m.onnx: expected ");
          }
        });
  }

  private static void assertRefused(GraphWriter graph, String message) {
    assertThatThrownBy(() -> GraphCheck.require("m.onnx", graph.bytes()))
        .isInstanceOf(CheckpointException.class)
        .hasMessage(message);
  }
}
