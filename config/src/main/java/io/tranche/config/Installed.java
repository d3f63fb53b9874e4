package io.tranche.config;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Services of plug-ins, and what to do about a plug-in that cannot be used.
public final class Installed {

  private Installed() {}

  /// Returns all services of a kind.
  ///
  /// @throws ConfigException naming the plug-in that cannot be loaded
  public static <T> List<T> all(ServiceLoader<T> services) {
    var all = new ArrayList<T>();
    try {
      services.forEach(all::add);
    } catch (ServiceConfigurationError e) {
      throw new ConfigException(
          "plug-in",
          "the class that META-INF/services names, public, with a public constructor without"
              + " arguments that succeeds",
          e.getCause() == null ? e.getMessage() : e.getMessage() + ": " + e.getCause());
    } catch (LinkageError e) {
      throw anotherVersion("plug-in", e);
    }
    return all;
  }

  static ConfigException anotherVersion(String where, LinkageError e) {
    return new ConfigException(
        where,
        "a plug-in for this version of Tranche and for Java %d: build it again"
            .formatted(Runtime.version().feature()),
        "one for another: " + e);
  }
}
