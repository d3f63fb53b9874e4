package io.tranche.cli.replay;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.client.RefusedException;
import io.tranche.serving.client.TrancheClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Asks a service until it answers. Every request is idempotent, so a retry changes nothing, and a
/// replay survives a service that is killed and started again.
///
/// @param client is closed
/// @param url what to call the service in errors
/// @param patience how long the service may be unreachable
/// @param stop ends the waiting
/// @param retries is told the reason of each retry
public record PatientClient(
    TrancheClient client, String url, Duration patience, StopRequest stop, Consumer<String> retries)
    implements AutoCloseable {

  /// Number of frames per request; a service accepts 1,024 by default.
  private static final int FRAMES = 512;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /// One request.
  @FunctionalInterface
  interface Call<T> {
    T send(TrancheClient client) throws IOException, InterruptedException;
  }

  /// Asks once.
  ///
  /// @throws ConfigException if the service wants another token
  /// @throws DataException if it does not answer, or refuses
  <T> T once(Call<T> call) {
    try {
      return call.send(client);
    } catch (IOException e) {
      throw new DataException(url, "a service that answers", reason(e), e);
    } catch (RefusedException e) {
      throw refused(url, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /// Asks until there is an answer.
  ///
  /// @param place what it is about, for errors
  /// @throws ConfigException if the service wants another token
  /// @throws DataException if it does not answer for too long, or refuses
  <T> T ask(String place, Call<T> call) {
    long began = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      String why;
      try {
        return call.send(client);
      } catch (IOException e) {
        why = reason(e);
      } catch (RefusedException e) {
        if (!e.isPassing()) {
          throw refused(place, e);
        }
        why = String.valueOf(e.getMessage());
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      retries.accept(why);
      if (stop.await(pause) || System.nanoTime() - began > patience.toNanos()) {
        throw new DataException(
            url, "a service that answers within " + patience.toSeconds() + " s", why);
      }
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
  }

  /// Asks for many things together, until there are answers.
  ///
  /// @param type of the answers
  /// @throws DataException naming the first that has another answer
  <T extends Answer> List<T> exchange(List<Request> requests, Class<T> type) {
    var answers = new ArrayList<T>();
    for (int from = 0; from < requests.size(); from += FRAMES) {
      List<Request> some = requests.subList(from, Math.min(from + FRAMES, requests.size()));
      List<Answer> each = ask(place(some.getFirst()), to -> passed(to.exchange(some)));
      for (int i = 0; i < each.size(); i++) {
        if (!type.isInstance(each.get(i))) {
          throw unexpected(some.get(i), each.get(i));
        }
        answers.add(type.cast(each.get(i)));
      }
    }
    return answers;
  }

  /// Asks for everything again after a passing failure; what was done stays done.
  private static List<Answer> passed(List<Answer> answers) throws IOException {
    for (Answer answer : answers) {
      if (answer instanceof Answer.Refused(var reason, var message)
          && (reason == Answer.Reason.OVERLOADED || reason == Answer.Reason.UNAVAILABLE)) {
        throw new IOException(message);
      }
    }
    return answers;
  }

  /// Returns the exception for an answer with which the replay cannot continue.
  DataException unexpected(Request request, Answer answer) {
    return unexpected(
        place(request),
        switch (answer) {
          case Answer.Refused refused -> refused.message();
          case Answer.BarTaken bar -> "%s: it had others".formatted(bar.answer());
          default -> answer.toString();
        });
  }

  private DataException unexpected(String place, String was) {
    return new DataException(
        place,
        "something that %s can do; if it has had that day, --shift-weeks takes others"
            .formatted(url),
        was);
  }

  private RuntimeException refused(String place, RefusedException e) {
    return e.status() == 401 || e.status() == 403
        ? new ConfigException("--token-file", "the token of " + url, e.refusal().message())
        : unexpected(place, e.refusal().message());
  }

  private DataException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new DataException(url, "time for an answer", "interrupted", e);
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private static String place(Request request) {
    return switch (request) {
      case Request.Bar bar -> "%s %s".formatted(bar.instrument(), bar.time());
      case Request.Decide decide -> "order %s, step %s".formatted(decide.id(), decide.step());
      case Request.Fill fill -> "order %s, fill %s".formatted(fill.id(), fill.fillId());
      default -> request.toString();
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
