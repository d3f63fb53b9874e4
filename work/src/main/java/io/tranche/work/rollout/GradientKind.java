package io.tranche.work.rollout;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.vector.Codec;
import io.tranche.policy.learn.Ppo;
import io.tranche.policy.learn.PpoTask;
import io.tranche.policy.learn.PpoWorkers;
import io.tranche.tensor.Crew;
import io.tranche.tensor.Weights;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/// Gradients of a training run's minibatches. Shared by a round are the weights; a piece is one of
/// the minibatch's tasks, its answer the sum of the task's gradients and the terms of its loss.
public final class GradientKind implements JobKind {

  @Override
  public String name() {
    return "gradients";
  }

  @Override
  public Job open(byte[] setup) {
    return job(AgentParts.open(setup));
  }

  private static <O extends Observation> Job job(AgentParts<O> parts) {
    return new AgentJob(crew -> new Learner<>(parts, crew));
  }

  static byte[] shared(Weights weights) {
    return PieceCodec.bytes(out -> ActingWeights.write(weights, out));
  }

  static <O extends Observation> byte[] piece(PpoTask<O> task, Codec<O> observations) {
    return PieceCodec.bytes(out -> task.write(observations, out));
  }

  private static void write(float[] gradients, double[] terms, DataOutputStream out)
      throws IOException {
    PieceCodec.writeNumber(gradients.length, out);
    ActingWeights.writeFloats(gradients, out);
    for (double term : terms) {
      out.writeDouble(term);
    }
  }

  /// Hands over what is in the answer to `task`.
  static void answer(byte[] answer, int task, PpoWorkers.Sums sums) {
    PieceCodec.read(
        "an answer with gradients",
        answer,
        in -> {
          float[] gradients = new float[PieceCodec.readCount(in, Float.BYTES)];
          ActingWeights.readFloats(gradients, in);
          double[] terms = new double[PpoWorkers.TERMS];
          for (int i = 0; i < terms.length; i++) {
            terms[i] = in.readDouble();
          }
          sums.put(task, gradients, terms);
          return true;
        });
  }

  /// Works out gradients.
  private static final class Learner<O extends Observation> implements AgentJob.Agent {

    private final Codec<O> observations;
    private final Ppo<O> ppo;

    Learner(AgentParts<O> parts, Crew crew) {
      this.observations = parts.environment().observations();
      if (!(parts.algorithm(null, crew).factory().get() instanceof Ppo<O> made)) {
        throw new ConfigException("policy", "Ppo, whose gradients can be shared out", "another");
      }
      this.ppo = made;
    }

    @Override
    public void take(DataInputStream shared) throws IOException {
      ActingWeights.read(ppo.weights(), shared);
    }

    @Override
    public byte[] work(DataInputStream piece) throws IOException {
      PpoTask<O> task = PpoTask.read(observations, piece);
      double[] terms = new double[PpoWorkers.TERMS];
      float[] gradients = ppo.work(task, terms);
      return PieceCodec.bytes(out -> write(gradients, terms, out));
    }
  }
}
