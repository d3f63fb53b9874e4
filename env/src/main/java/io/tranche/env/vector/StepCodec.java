package io.tranche.env.vector;

import io.tranche.env.Action;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Observation;
import io.tranche.env.Step;
import io.tranche.env.Value;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/// How steps, and what they log, cross between processes.
///
/// Logged numbers, truths, texts, times, arrays of numbers, values, actions and observations arrive
/// as they were; anything else arrives as its text.
final class StepCodec<O extends Observation> {

  private static final LogLevel[] LEVELS = LogLevel.values();

  private final Codec<O> observations;

  StepCodec(Codec<O> observations) {
    this.observations = observations;
  }

  void write(Step<O> step, DataOutputStream out) throws IOException {
    observations.write(step.observation(), out);
    out.writeDouble(step.reward());
    out.writeBoolean(step.done());
    ValueCodec.write(step.aux(), out);
    var entries = step.log().entries();
    out.writeInt(entries.size());
    for (var entry : entries.entrySet()) {
      ValueCodec.writeText(entry.getKey(), out);
      out.writeByte(entry.getValue().level().code());
      writeObject(entry.getValue().value(), step.observation(), out);
    }
  }

  /// @param log takes what the step logged
  Step<O> read(DataInputStream in, LogCollector log) throws IOException {
    O observation = observations.read(in);
    double reward = in.readDouble();
    boolean done = in.readBoolean();
    Value aux = ValueCodec.read(in);
    log.clear();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      String name = ValueCodec.readText(in);
      LogLevel level = readLevel(in);
      log.any(name, readObject(in, observation), level);
    }
    return new Step<>(observation, reward, done, aux, log);
  }

  static LogLevel readLevel(DataInputStream in) throws IOException {
    int code = in.readUnsignedByte();
    for (LogLevel level : LEVELS) {
      if (level.code() == code) {
        return level;
      }
    }
    throw ValueCodec.corrupt("a log level", code);
  }

  static void write(Action action, DataOutputStream out) throws IOException {
    switch (action) {
      case Action.Discrete(int index) -> {
        out.writeByte('d');
        out.writeInt(index);
      }
      case Action.Continuous(double value) -> {
        out.writeByte('c');
        out.writeDouble(value);
      }
    }
  }

  static Action readAction(DataInputStream in) throws IOException {
    int tag = in.readUnsignedByte();
    return switch (tag) {
      case 'd' -> new Action.Discrete(in.readInt());
      case 'c' -> new Action.Continuous(in.readDouble());
      default -> throw ValueCodec.corrupt("an action", tag);
    };
  }

  private void writeObject(@Nullable Object value, O current, DataOutputStream out)
      throws IOException {
    switch (value) {
      case Double number -> {
        out.writeByte('f');
        out.writeDouble(number);
      }
      case LocalDateTime time -> {
        out.writeByte('t');
        ValueCodec.writeText(time.toString(), out);
      }
      case double[] numbers -> {
        out.writeByte('a');
        out.writeInt(numbers.length);
        for (double number : numbers) {
          out.writeDouble(number);
        }
      }
      case Action action -> {
        out.writeByte('p');
        write(action, out);
      }
      case Value nested -> {
        out.writeByte('v');
        ValueCodec.write(nested, out);
      }
      case Observation observation when observation.equals(current) -> out.writeByte('o');
      case null -> {
        out.writeByte('v');
        ValueCodec.write(new Value.Plain(null), out);
      }
      case Long _, Boolean _, String _ -> {
        out.writeByte('v');
        ValueCodec.write(new Value.Plain(value), out);
      }
      default -> {
        out.writeByte('v');
        ValueCodec.write(new Value.Plain(value.toString()), out);
      }
    }
  }

  private @Nullable Object readObject(DataInputStream in, O current) throws IOException {
    int tag = in.readUnsignedByte();
    return switch (tag) {
      case 'f' -> in.readDouble();
      case 't' -> readTime(in);
      case 'a' -> readDoubles(in);
      case 'p' -> readAction(in);
      case 'o' -> current;
      case 'v' -> {
        Value value = ValueCodec.read(in);
        yield value instanceof Value.Plain(var leaf) ? leaf : value;
      }
      default -> throw ValueCodec.corrupt("a logged value", tag);
    };
  }

  private static LocalDateTime readTime(DataInputStream in) throws IOException {
    String text = ValueCodec.readText(in);
    try {
      return LocalDateTime.parse(text);
    } catch (DateTimeParseException e) {
      throw ValueCodec.corrupt("a time", text);
    }
  }

  private static double[] readDoubles(DataInputStream in) throws IOException {
    var numbers = new double[ValueCodec.size(in, Double.BYTES)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.readDouble();
    }
    return numbers;
  }
}
