package io.tranche.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/// The version of this program and the commit of its sources.
public final class Version implements IVersionProvider {

  /// Returns the version of this program, which Maven writes into the jar; null in development.
  public static @Nullable String number() {
    try (InputStream in =
        Version.class.getResourceAsStream(
            "/META-INF/maven/io.tranche/tranche-cli/pom.properties")) {
      if (in == null) {
        return null;
      }
      var properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
