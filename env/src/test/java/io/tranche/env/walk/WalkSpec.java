package io.tranche.env.walk;

import io.tranche.config.ConfigNode;
import io.tranche.env.Problem;
import io.tranche.env.vector.Codec;
import io.tranche.env.vector.EnvSpec;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.TargetWalk.State;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The walk, made from a configuration. It can be told to misbehave at one target, in step 2.
///
/// @param mischief `none`, `throw`, `exit`, `hang`, `garbage`, `print`, or `kill`
public record WalkSpec(String mischief, int at) implements EnvSpec<Start, Seen> {

  public static final String NAME = "TargetWalk";

  public static WalkSpec from(ConfigNode node) {
    node.rejectUnknown(List.of("mischief", "at"));
    return new WalkSpec(node.textOr("mischief", "none"), node.intOr("at", 0));
  }

  @Override
  public Problem<Start, State, Integer, Seen> problem() {
    return TargetWalk.problem(this::misbehave);
  }

  private void misbehave(State state) {
    if (state.target() != at || state.step() != 2) {
      return;
    }
    switch (mischief) {
      case "none" -> {}
      case "throw" -> throw new ArithmeticException("tripped at " + state);
      case "exit" -> Runtime.getRuntime().halt(3);
      case "kill" -> {
        kill(ProcessHandle.current().pid());
      }
      case "hang" -> hang();
      case "print" -> System.out.println("a word to the world");
      case "garbage" -> garbage();
      default -> throw new IllegalArgumentException("mischief must be known, was " + mischief);
    }
  }

  private static void kill(long pid) {
    try {
      new ProcessBuilder("kill", "-9", Long.toString(pid)).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    hang();
  }

  private static void hang() {
    while (true) {
      LockSupport.park();
    }
  }

  private static void garbage() {
    try (var out = new FileOutputStream(FileDescriptor.out)) {
      out.write("this is not a message of ours, not at all".getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    hang();
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
        out.writeInt(seen.position());
        out.writeInt(seen.target());
      }

      @Override
      public Seen read(DataInputStream in) throws IOException {
        return new Seen(in.readInt(), in.readInt());
      }
    };
  }
}
