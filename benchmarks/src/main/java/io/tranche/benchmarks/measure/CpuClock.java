package io.tranche.benchmarks.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The processor time of this process with all its threads, as Python's `process_time` reads it.
/// The JDK's own reading ticks in 10 ms, which is longer than much of what is measured.
@SuppressWarnings("restricted") // a system call with fixed arguments
final class CpuClock {

  /// `CLOCK_PROCESS_CPUTIME_ID` of macOS and of Linux.
  private static final int PROCESS_CPU_TIME =
      System.getProperty("os.name").startsWith("Mac") ? 12 : 2;

  private static final MethodHandle CLOCK_GETTIME =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

  private static final MemorySegment TIME = Arena.global().allocate(ValueLayout.JAVA_LONG, 2);

  private CpuClock() {}

  /// Returns nanoseconds since the process began.
  static synchronized long nanos() {
    try {
      int status = (int) CLOCK_GETTIME.invokeExact(PROCESS_CPU_TIME, TIME);
      if (status != 0) {
        throw new IllegalStateException("clock_gettime must return 0, was " + status);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // a native function throws nothing
    }
    return TIME.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L
        + TIME.getAtIndex(ValueLayout.JAVA_LONG, 1);
  }
}
