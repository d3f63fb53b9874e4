package io.tranche.env.vector;

import io.tranche.config.ConfigException;
import io.tranche.env.LogLevel;
import io.tranche.env.vector.Wire.Kind;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A child process, seen from the parent: one question at a time, each with a deadline.
final class Child implements AutoCloseable {

  /// How long a child that is no longer needed may take to end by itself.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final ChildConfig config;
  private final Process process;
  private final Wire wire;
  private boolean ready;

  /// Whether an answer is due, and by when on [System#nanoTime]. Another thread watches this.
  private volatile boolean asked;

  private volatile long deadlineNanos;
  private volatile boolean late;

  /// Starts the process without waiting for it.
  ///
  /// @throws EnvironmentException if it cannot be started
  Child(ChildConfig config, LogLevel level, String environment) {
    this.config = config;
    Path errors = config.errorLog();
    try {
      process =
          new ProcessBuilder(config.command())
              .redirectError(errors == null ? Redirect.DISCARD : Redirect.appendTo(errors.toFile()))
              .start();
    } catch (IOException e) {
      throw new EnvironmentException("a child process must start, was " + e.getMessage(), e);
    }
    wire =
        new Wire(
            new BufferedInputStream(process.getInputStream()),
            new BufferedOutputStream(process.getOutputStream()),
            config.maxMessageBytes());
    ask(
        Kind.CONFIGURE,
        config.startDeadline(),
        body -> {
          body.writeByte(level.code());
          ValueCodec.writeText(environment, body);
        });
  }

  /// Waits until the child has made its environment.
  ///
  /// @throws ConfigException if it cannot
  /// @throws EnvironmentException if it ended, was too slow or sent nonsense
  void awaitReady() {
    if (ready) {
      return;
    }
    try {
      answer(Kind.READY);
      ready = true;
    } catch (IOException e) {
      throw broken(e);
    } catch (EnvironmentException e) {
      throw new ConfigException(
          "environment", "a configuration that a child process can use", e.getMessage());
    }
  }

  /// Sends a question. A child that is gone is noticed when its answer is read.
  void ask(Kind kind, Wire.Body body) {
    ask(kind, config.answerDeadline(), body);
  }

  private void ask(Kind kind, Duration allowed, Wire.Body body) {
    deadlineNanos = System.nanoTime() + allowed.toNanos();
    asked = true;
    try {
      wire.send(kind, body);
    } catch (IOException e) {
      // It does not listen any more: reading its answer, which has a deadline, will say why.
    } catch (RuntimeException e) {
      asked = false; // what was to be said could not be put into bytes; nothing was sent
      throw e;
    }
  }

  /// Waits for an answer and returns its body.
  ///
  /// @throws EnvironmentException if the child reports an exception; it can still be asked
  /// @throws IOException if the child is of no more use; [#broken] says why
  DataInputStream answer(Kind expected) throws IOException {
    Wire.Message message;
    try {
      message = wire.receive();
    } finally {
      asked = false;
    }
    if (message.kind() == Kind.FAILED) {
      throw new EnvironmentException(ValueCodec.readText(message.body()));
    }
    if (message.kind() != expected) {
      throw ValueCodec.corrupt("the answer " + expected, message.kind());
    }
    return message.body();
  }

  /// Kills the child if its answer is overdue: whoever waits for it reads the end of its output.
  void killIfLate() {
    if (asked && System.nanoTime() - deadlineNanos > 0) {
      late = true;
      process.destroyForcibly();
    }
  }

  /// Ends the child and returns what was wrong with it.
  EnvironmentException broken(IOException e) {
    boolean gone = !(e instanceof StreamCorruptedException);
    // A process may close its output a moment before it is gone.
    int exit = end(gone && !late ? GRACE : Duration.ZERO);
    String name = "child process " + process.pid();
    if (late) {
      return new EnvironmentException(name + " must answer in time, was killed at its deadline", e);
    }
    return new EnvironmentException(
        gone
            ? name + " must go on, was ended with exit code " + exit
            : name + " must send messages, was: " + e.getMessage(),
        e);
  }

  /// Lets the child know that it is no longer needed, without waiting.
  void release() {
    asked = false;
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It is gone already, which is what we want.
    }
  }

  @Override
  public void close() {
    release();
    end(GRACE);
  }

  private int end(Duration grace) {
    boolean interrupted = false;
    try {
      if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      process.destroyForcibly();
    }
    int exit = process.onExit().join().exitValue();
    release();
    try {
      process.getInputStream().close();
    } catch (IOException e) {
      // Nothing was to be read any more.
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return exit;
  }
}
