package io.tranche.env.vector;

import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.env.Action;
import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Observation;
import io.tranche.env.Step;
import io.tranche.env.vector.Wire.Kind;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A child process with one environment. It is told the environment's configuration and everything
/// after that through its standard input, answers through its standard output, and ends with its
/// input.
public final class ChildMain {

  private ChildMain() {}

  /// @param arguments none: everything comes through standard input
  public static void main(String[] arguments) throws IOException {
    var out = new FileOutputStream(FileDescriptor.out);
    // What the environment's code prints must not get between our messages.
    System.setOut(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    serve(
        new Wire(
            new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
            new BufferedOutputStream(out),
            Integer.MAX_VALUE));
  }

  private static void serve(Wire wire) throws IOException {
    Wire.Message first = next(wire);
    if (first == null) {
      return;
    }
    LogLevel level = StepCodec.readLevel(first.body());
    String config = ValueCodec.readText(first.body());
    EnvSpec<?, ?> spec = make(config, wire);
    if (spec != null) {
      wire.send(Kind.READY, _ -> {});
      run(spec, new LogCollector(level), wire);
    }
  }

  private static @Nullable EnvSpec<?, ?> make(String config, Wire wire) throws IOException {
    try {
      return Catalog.of(EnvSpec.kind(), List.of())
          .withInstalled()
          .make(ComponentSpec.from(ConfigFiles.parse("environment", config)));
    } catch (RuntimeException e) {
      fail(e, wire);
      return null;
    }
  }

  private static <I, O extends Observation> void run(
      EnvSpec<I, O> spec, LogCollector log, Wire wire) throws IOException {
    EnvWrapper<I, ?, ?, O> environment = spec.problem().open(log);
    var steps = new StepCodec<O>(spec.observations());
    for (var message = next(wire); message != null; message = next(wire)) {
      try {
        switch (message.kind()) {
          case BEGIN -> {
            O observation = environment.begin(spec.initialStates().read(message.body()));
            wire.send(Kind.BEGUN, body -> spec.observations().write(observation, body));
          }
          case STEP -> {
            Action action = StepCodec.readAction(message.body());
            Step<O> step = environment.step(action);
            wire.send(Kind.STEPPED, body -> steps.write(step, body));
          }
          case CONFIGURE, READY, BEGUN, STEPPED, FAILED ->
              throw new IllegalStateException("no message for a child: " + message.kind());
        }
      } catch (IOException | RuntimeException e) {
        fail(e, wire);
      }
    }
  }

  /// Returns the next message, or null if the parent closed us or is gone.
  private static Wire.@Nullable Message next(Wire wire) throws IOException {
    try {
      return wire.receive();
    } catch (EOFException e) {
      return null;
    }
  }

  private static void fail(Exception e, Wire wire) throws IOException {
    wire.send(Kind.FAILED, body -> ValueCodec.writeText(e.toString(), body));
  }
}
