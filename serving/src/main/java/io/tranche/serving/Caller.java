package io.tranche.serving;

import java.util.function.Supplier;

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

  /// Computes something in the name of a caller.
  public static <T> T call(String name, Supplier<T> work) {
    return ScopedValue.where(NAME, name).call(work::get);
  }

  /// Does something in the name of a caller.
  public static void as(String name, Runnable work) {
    ScopedValue.where(NAME, name).run(work);
  }
}
