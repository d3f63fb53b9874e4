package io.tranche.serving;

/// Receives notices for the operators' log. Called by any thread; must not block.
@FunctionalInterface
public interface Observer {

  Observer NONE = _ -> {};

  void noticed(Notice notice);

  default void notice(Kind kind, String subject, String message) {
    noticed(new Notice(kind, subject, message));
  }

  /// A notice to operators.
  ///
  /// @param kind what happened
  /// @param subject the model, file, order or day it is about
  /// @param message a sentence
  record Notice(Kind kind, String subject, String message) {}

  /// What a notice is about.
  enum Kind {
    RECOVERED,
    /// The journal ended with an unfinished record that was never acknowledged; it was cut.
    TAIL_CUT,
    MODEL_LOADED,
    MODEL_UNLOADED,
    /// A model failed for an instrument and day; TWAP decides for its orders there.
    MODEL_FAILED,
    /// A day began without the earlier days that a model declares.
    DAYS_MISSING,
    ROUTED,
    ROLLED_BACK,
    SWITCHED,
    DRIFT,
    /// Inputs and choices are again as in validation.
    DRIFT_ENDED,
    /// A shadow would have traded a different volume.
    SHADOW_DIFFERED,
    DAY_ENDED,
    /// A limit, a halt or the calendar refused an order or reduced a child order.
    RISK,
    /// The market filled more than an order or a child order allowed.
    OVERFILL,
    /// A fill came for an order that is not known.
    UNMATCHED_FILL,
    LIMITS_SET,
    /// An operator corrected a fill or a bar.
    CORRECTED,
    /// An account was switched off because its heartbeat did not come.
    HEARTBEAT_MISSED,
    /// The journal cannot be written, or can be written again.
    JOURNAL,
    /// A defect of the service itself.
    FAULT
  }
}
