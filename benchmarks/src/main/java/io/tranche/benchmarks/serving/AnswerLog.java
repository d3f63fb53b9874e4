package io.tranche.benchmarks.serving;

import io.tranche.serving.Answer.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a service answered to each request of a [DeskScript], to be compared with its journal: a
/// request is known by its instrument and its place in all that is asked about the instrument.
final class AnswerLog {

  /// What an answer means.
  enum Kind {
    NONE,
    /// Taken and durable.
    TAKEN,
    /// Not taken, because there was too much to do.
    OVERLOAD,
    /// Nobody knows: the service could not say in time.
    UNSURE,
    /// Not taken, because of what had been taken before.
    REFUSED,
    /// An order was over before a decision could be taken, which is refused later than asked.
    OVER
  }

  /// An answer.
  ///
  /// @param hash of its content, if the request was taken
  /// @param reason of a refusal; [Reason#INVALID] otherwise
  record Outcome(Kind kind, long hash, Reason reason) {
    static final Outcome NONE = new Outcome(Kind.NONE, 0, Reason.INVALID);

    boolean isTaken() {
      return kind == Kind.TAKEN;
    }

    boolean needsReason() {
      return kind == Kind.REFUSED || kind == Kind.OVER;
    }
  }

  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final List<Reason> ALL_REASONS = List.of(Reason.values());
  private static final int KIND_BITS = 3;
  private static final byte FRAME_REFUSED = (byte) 255;
  private static final String OVER = "was over before it was decided";
  private static final Pattern ERROR = Pattern.compile("\"error\":\"([a-z_]+)\"");

  /// The reasons as numbers of the compact form.
  private static final List<Reason> REASONS =
      List.of(
          Reason.INVALID,
          Reason.UNKNOWN,
          Reason.CONFLICT,
          Reason.NOT_DUE,
          Reason.OVERLOADED,
          Reason.UNAVAILABLE,
          Reason.RISK,
          Reason.UNMATCHED,
          Reason.UNCONFIRMED);

  private final DeskScript script;
  private final long[][] answers;
  long refused;
  long fallbacks;

  AnswerLog(DeskScript script, int instruments) {
    this.script = script;
    this.answers = new long[instruments][0];
  }

  /// Forgets what was counted, but no answer.
  void reset() {
    refused = 0;
    fallbacks = 0;
  }

  /// Returns requests of the script whose answers are noted.
  Requests noting(Requests of, LongToIntFunction place) {
    return new Requests() {
      @Override
      public int lane(long number) {
        return of.lane(number);
      }

      @Override
      public void write(long number, ByteBuffer to) {
        of.write(number, to);
      }

      @Override
      public Verdict judge(long number, int status, ByteBuffer body) {
        Outcome outcome = outcome(status, body);
        note(lane(number), place.applyAsInt(number), outcome);
        boolean isFallback =
            outcome.isTaken() && of.judge(number, status, body) == Verdict.FALLBACK;
        refused += outcome.isTaken() ? 0 : 1;
        fallbacks += isFallback ? 1 : 0;
        return outcome.isTaken() && !isFallback ? Verdict.RIGHT : Verdict.FALLBACK;
      }
    };
  }

  /// Returns the requests before the first of the script.
  Requests prelude() {
    return noting(script.prelude(), script::preludePlace);
  }

  /// Returns the requests of the script.
  Requests requests() {
    return noting(script, script::place);
  }

  void note(int instrument, int place, Outcome outcome) {
    long[] of = answers[instrument];
    if (place >= of.length) {
      of = Arrays.copyOf(of, Math.max(2 * of.length, place + 1024));
      answers[instrument] = of;
    }
    long value = outcome.isTaken() ? outcome.hash() : ALL_REASONS.indexOf(outcome.reason());
    of[place] = value << KIND_BITS | KINDS.indexOf(outcome.kind());
  }

  /// Returns one more than the last place that may have an answer.
  int size(int instrument) {
    return answers[instrument].length;
  }

  Outcome at(int instrument, int place) {
    long[] of = answers[instrument];
    long value = place < of.length ? of[place] : 0;
    Kind kind = KINDS.get((int) (value & ((1 << KIND_BITS) - 1)));
    long rest = value >> KIND_BITS;
    return switch (kind) {
      case NONE -> Outcome.NONE;
      case TAKEN -> new Outcome(kind, rest, Reason.INVALID);
      default -> new Outcome(kind, 0, ALL_REASONS.get((int) rest));
    };
  }

  /// Returns what an answer means.
  static Outcome outcome(int status, ByteBuffer body) {
    byte[] bytes = new byte[body.remaining()];
    body.get(body.position(), bytes);
    boolean isFrame = status == 200 && bytes.length > 1 && bytes[0] == FRAME_REFUSED;
    if (status == 200 && !isFrame) {
      return new Outcome(Kind.TAKEN, hash(bytes), Reason.INVALID);
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    Reason reason = isFrame ? REASONS.get(bytes[1]) : reason(text);
    Kind kind =
        switch (reason) {
          case OVERLOADED -> Kind.OVERLOAD;
          case UNAVAILABLE -> Kind.UNSURE;
          default -> text.contains(OVER) ? Kind.OVER : Kind.REFUSED;
        };
    return new Outcome(kind, 0, reason);
  }

  private static Reason reason(String text) {
    Matcher error = ERROR.matcher(text);
    String word = error.find() ? error.group(1) : "";
    for (Reason each : Reason.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    return word.equals("late") ? Reason.UNAVAILABLE : Reason.INVALID;
  }

  /// Returns a number that differs for different contents, but for one pair in 10^18.
  static long hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    for (byte each : bytes) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    return hash << KIND_BITS >> KIND_BITS;
  }
}
