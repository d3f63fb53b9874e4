package io.tranche.serving;

import java.util.concurrent.CompletableFuture;

/// What every wire leads to.
public interface Service {

  /// Hears of an answer, once.
  @FunctionalInterface
  interface Reply {

    /// Called by any thread, at once or later; must not block.
    void answered(Answer answer);
  }

  /// Does what is asked. Never blocks and never throws: whatever goes wrong is an [Answer.Refused].
  /// Any thread may ask.
  void handle(Request request, Reply reply);

  /// Does what is asked; the answer comes later.
  default CompletableFuture<Answer> ask(Request request) {
    var answer = new CompletableFuture<Answer>();
    handle(request, answer::complete);
    return answer;
  }
}
