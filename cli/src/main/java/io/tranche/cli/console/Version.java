package io.tranche.cli.console;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/// The version of this program and the commit of its sources.
public final class Version implements IVersionProvider {

  /// Returns the version of this program, or null in development.
  public static @Nullable String number() {
    return Version.class.getPackage().getImplementationVersion();
  }

  /// Returns the commit of the sources, which the launcher passes, or null.
  public static @Nullable String commit() {
    String commit = System.getProperty("tranche.commit", "");
    return commit.isEmpty() ? null : commit;
  }

  /// Returns all of this in one line.
  public static String text() {
    return String.join(" ", new Version().getVersion());
  }

  @Override
  public String[] getVersion() {
    String number = number();
    String commit = commit();
    return new String[] {
      "tranche "
          + (number == null ? "(development)" : number)
          + (commit == null ? "" : ", commit " + commit),
      "Java " + Runtime.version() + " on " + System.getProperty("os.arch")
    };
  }
}
