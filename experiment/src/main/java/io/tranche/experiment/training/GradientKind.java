package io.tranche.experiment.training;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.vector.Codec;
import io.tranche.experiment.work.Job;
import io.tranche.experiment.work.JobKind;
import io.tranche.policy.learn.Ppo;
import io.tranche.policy.learn.PpoHelpers;
import io.tranche.policy.learn.PpoTask;
import io.tranche.tensor.Crew;
import io.tranche.tensor.Weights;
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
    return new Gradients<>(AgentParts.open(setup));
  }

  static byte[] shared(Weights weights) {
    return Wire.bytes(out -> ActingWeights.write(weights, out));
  }

  static <O extends Observation> byte[] piece(PpoTask<O> task, Codec<O> observations) {
    return Wire.bytes(out -> task.write(observations, out));
  }

  private static void write(float[] gradients, double[] terms, DataOutputStream out)
      throws IOException {
    Wire.writeNumber(gradients.length, out);
    ActingWeights.writeFloats(gradients, out);
    for (double term : terms) {
      out.writeDouble(term);
    }
  }

  /// Hands over what is in the answer to `task`.
  static void answer(byte[] answer, int task, PpoHelpers.Sums sums) {
    Wire.read(
        "an answer with gradients",
        answer,
        in -> {
          float[] gradients = new float[Wire.readCount(in, Float.BYTES)];
          ActingWeights.readFloats(gradients, in);
          double[] terms = new double[PpoHelpers.TERMS];
          for (int i = 0; i < terms.length; i++) {
            terms[i] = in.readDouble();
          }
          sums.put(task, gradients, terms);
          return true;
        });
  }

  /// The job in one process.
  private static final class Gradients<O extends Observation> implements Job {

    private final AgentParts<O> parts;
    private final Codec<O> observations;

    /// Each agent has one thread, its user's.
    private final Crew alone = new Crew(1);

    private final Agents<Agent> agents;

    Gradients(AgentParts<O> parts) {
      this.parts = parts;
      this.observations = parts.environment().observations();
      this.agents = new Agents<>(Agent::new);
    }

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      return agents.use(agent -> agent.work(shared, piece));
    }

    @Override
    public void close() {
      alone.close();
    }

    private final class Agent {
      private final Ppo<O> ppo = ppo();
      private final SharedBytes taken = new SharedBytes();

      private Ppo<O> ppo() {
        if (parts.algorithm(null, alone).factory().get() instanceof Ppo<O> made) {
          return made;
        }
        throw new ConfigException("policy", "Ppo, whose gradients can be shared out", "another");
      }

      byte[] work(byte[] shared, byte[] piece) {
        taken.read(shared, this::take);
        return Wire.read("a piece of gradients", piece, this::work);
      }

      private boolean take(DataInputStream in) throws IOException {
        ActingWeights.read(ppo.weights(), in);
        return true;
      }

      private byte[] work(DataInputStream in) throws IOException {
        PpoTask<O> task = PpoTask.read(observations, in);
        double[] terms = new double[PpoHelpers.TERMS];
        float[] gradients = ppo.work(task, terms);
        return Wire.bytes(out -> write(gradients, terms, out));
      }
    }
  }
}
