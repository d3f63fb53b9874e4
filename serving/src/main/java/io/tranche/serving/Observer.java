package io.tranche.serving;

/// Hears of what those who run the service should know: for a log. Called by any thread; must not
/// block.
@FunctionalInterface
public interface Observer {

  Observer NONE = _ -> {};

  void noticed(Notice notice);

  /// Something to know.
  ///
  /// @param kind what sort of thing
  /// @param subject the model, file, order or day it is about
  /// @param message a sentence
  record Notice(Kind kind, String subject, String message) {}

  /// Sorts of things to know.
  enum Kind {
    RECOVERED,
    /// The journal ended with something that nobody had been told of; it was cut.
    TAIL_CUT,
    MODEL_LOADED,
    MODEL_UNLOADED,
    /// A model failed on a day: TWAP decides for its orders there.
    MODEL_FAILED,
    ROUTED,
    ROLLED_BACK,
    SWITCHED,
    DRIFT,
    /// A shadow would have traded another volume.
    SHADOW_DIFFERED,
    DAY_ENDED,
    /// A mistake in the service itself.
    FAULT
  }
}
