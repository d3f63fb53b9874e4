package io.tranche.examples.problem;

import io.tranche.config.ConfigNode;
import io.tranche.env.Problem;
import io.tranche.env.vector.Codec;
import io.tranche.env.vector.EnvSpec;
import io.tranche.examples.problem.Accumulation.Seen;
import io.tranche.examples.problem.Accumulation.Start;
import io.tranche.examples.problem.Accumulation.State;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/// The problem as child processes make it: by name, and with codecs for what crosses. Only needed
/// for environments of the type subproc.
public record AccumulationSpec() implements EnvSpec<Start, Seen> {

  static final String NAME = "Accumulation";

  static AccumulationSpec from(ConfigNode settings) {
    settings.rejectUnknown(List.of());
    return new AccumulationSpec();
  }

  @Override
  public Problem<Start, State, Integer, Seen> problem() {
    return Accumulation.problem();
  }

  @Override
  public Codec<Start> initialStates() {
    return new Codec<>() {
      @Override
      public void write(Start start, DataOutputStream out) throws IOException {
        out.writeInt(start.target());
      }

      @Override
      public Start read(DataInputStream in) throws IOException {
        return new Start(in.readInt());
      }
    };
  }

  @Override
  public Codec<Seen> observations() {
    return new Codec<>() {
      @Override
      public void write(Seen seen, DataOutputStream out) throws IOException {
        out.writeInt(seen.missing());
        out.writeInt(seen.stepsLeft());
      }

      @Override
      public Seen read(DataInputStream in) throws IOException {
        return new Seen(in.readInt(), in.readInt());
      }
    };
  }
}
