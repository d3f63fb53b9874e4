package io.tranche.serving;

import java.util.concurrent.CompletableFuture;

/// The service behind every interface.
public interface Service {

  /// Receives the answer, exactly once.
  @FunctionalInterface
  interface Reply {

    /// Called by any thread, immediately or later; must not block.
    void answered(Answer answer);
  }

  /// Handles a request. Never blocks and never throws: any failure becomes an [Answer.Refused]. Any
  /// thread may call it.
  void handle(Request request, Reply reply);

  /// Handles a request; the answer completes the future.
  default CompletableFuture<Answer> ask(Request request) {
    var answer = new CompletableFuture<Answer>();
    handle(request, answer::complete);
    return answer;
  }
}
