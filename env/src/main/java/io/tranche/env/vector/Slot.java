package io.tranche.env.vector;

import io.tranche.env.EpisodeFailure;
import io.tranche.env.Observation;
import io.tranche.env.Step;
import io.tranche.env.space.Action;
import org.jspecify.annotations.Nullable;

/// One environment of a vector: the request to it, and its answer.
///
/// The driver writes the request and reads the answer; one worker thread does the reverse.
final class Slot<I, O extends Observation> {

  final int id;
  boolean alive = true;
  long episode;
  int step;

  /// Whether an episode is running.
  boolean running;

  private @Nullable I initialState;
  private @Nullable Action action;
  private @Nullable O observation;
  private @Nullable Step<O> last;
  private @Nullable Throwable failure;

  Slot(int id) {
    this.id = id;
  }

  void assign(I start, long number) {
    initialState = start;
    episode = number;
    step = 0;
    action = null;
    observation = null;
    last = null;
    failure = null;
    running = true;
  }

  void decide(Action next) {
    action = next;
    step++;
  }

  void begun(O first) {
    observation = first;
  }

  void stepped(Step<O> answer) {
    last = answer;
    observation = answer.observation();
    running = !answer.done();
  }

  void failed(Throwable cause) {
    failure = cause;
    running = false;
  }

  I initialState() {
    return required(initialState);
  }

  Action action() {
    return required(action);
  }

  @Nullable O observation() {
    return observation;
  }

  @Nullable Step<O> last() {
    return last;
  }

  boolean isDone() {
    return last != null && last.done();
  }

  @Nullable Throwable failure() {
    return failure;
  }

  EpisodeFailure report(RuntimeException cause) {
    return new EpisodeFailure(id, episode, String.valueOf(initialState), step, cause);
  }

  private <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("environment " + id + " must have begun an episode");
    }
    return value;
  }
}
