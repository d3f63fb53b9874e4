package io.tranche.work.rollout;

import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.tensor.Weights;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes everything that a policy acts by for other processes: the bits of its weights as they are
/// in memory, whose layout depends only on the settings.
public final class ActingWeights {

  private ActingWeights() {}

  public static void write(Agent<?> agent, DataOutputStream out) throws IOException {
    List<PolicyWeights.Part> parts = agent.weights().parts();
    PieceCodec.writeNumber(parts.size(), out);
    for (PolicyWeights.Part part : parts) {
      write(part.weights(), out);
    }
    Map<String, Double> state = agent.actingState();
    PieceCodec.writeNumber(state.size(), out);
    for (var entry : state.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeDouble(entry.getValue());
    }
  }

  /// Makes `agent`, which has the same settings, act like the agent that was written.
  public static void read(Agent<?> agent, DataInputStream in) throws IOException {
    List<PolicyWeights.Part> parts = agent.weights().parts();
    if (PieceCodec.readNumber(in) != parts.size()) {
      throw new StreamCorruptedException("the weights of another agent");
    }
    for (PolicyWeights.Part part : parts) {
      read(part.weights(), in);
    }
    int count = PieceCodec.readCount(in, Short.BYTES + Double.BYTES);
    var numbers = new LinkedHashMap<String, Double>();
    for (int i = 0; i < count; i++) {
      numbers.put(in.readUTF(), in.readDouble());
    }
    agent.restoreActing(numbers);
  }

  private static void write(Weights weights, DataOutputStream out) throws IOException {
    PieceCodec.writeNumber(weights.size(), out);
    writeFloats(weights.values(), out);
  }

  private static void read(Weights weights, DataInputStream in) throws IOException {
    int size = PieceCodec.readCount(in, Float.BYTES);
    if (size != weights.size()) {
      throw new StreamCorruptedException(
          "%d weights for a model of %d".formatted(size, weights.size()));
    }
    readFloats(weights.values(), in);
    weights.changed();
  }

  private static void writeFloats(float[] values, DataOutputStream out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES));
    bytes.asFloatBuffer().put(values);
    out.write(bytes.array());
  }

  private static void readFloats(float[] target, DataInputStream in) throws IOException {
    byte[] bytes = new byte[Math.multiplyExact(target.length, Float.BYTES)];
    in.readFully(bytes);
    ByteBuffer.wrap(bytes).asFloatBuffer().get(target);
  }
}
