package io.tranche.serving;

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
}
