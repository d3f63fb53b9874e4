package io.tranche.serving;

/// Who causes what the current thread does; the journal stores it with every event.
public final class Caller {

  /// The service itself.
  public static final String SERVICE = "service";

  private static final ScopedValue<String> NAME = ScopedValue.newInstance();

  private Caller() {}

  /// Returns the name that was set for this thread, or [#SERVICE].
  public static String name() {
    return NAME.orElse(SERVICE);
  }

  /// Does something in the name of a caller.
  public static void as(String name, Runnable work) {
    ScopedValue.where(NAME, name).run(work);
  }
}
