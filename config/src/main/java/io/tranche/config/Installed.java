package io.tranche.config;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Services of plug-ins, and what to do about a plug-in that cannot be used.
public final class Installed {

  /// The name of the class loader of plug-ins, which stack traces show.
  public static final String LOADER = "plug-ins";

  private static final Pattern RECEIVER = Pattern.compile("^Receiver class ([\\w.$]+)");

  /// The latest answer of [#components]: finding services looks into every jar, and opening a run
  /// asks for them many times.
  private static volatile @Nullable Found found;

  /// @param loader the class loader whose services they are
  private record Found(WeakReference<ClassLoader> loader, List<ComponentProvider> components) {}

  private Installed() {}

  /// Returns the component providers of the thread's class loader.
  ///
  /// @throws ConfigException naming the plug-in that cannot be loaded
  static List<ComponentProvider> components() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    Found known = found;
    if (known == null || loader == null || !known.loader.refersTo(loader)) {
      known =
          new Found(
              new WeakReference<>(loader),
              all(ServiceLoader.load(ComponentProvider.class, loader)));
      found = known;
    }
    return known.components;
  }

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

  /// Whether a plug-in is at fault: one of its classes was at work, or is missing what it must
  /// have.
  public static boolean isOfPlugIn(LinkageError e) {
    return e instanceof AbstractMethodError
        || Stream.of(e.getStackTrace()).anyMatch(Installed::isOfPlugIn);
  }

  /// Returns the class that lacks a method, which is in no stack trace.
  private static String receiver(LinkageError e, String where) {
    var found = RECEIVER.matcher(String.valueOf(e.getMessage()));
    return e instanceof AbstractMethodError && found.find() ? found.group(1) : where;
  }

  private static boolean isOfPlugIn(StackTraceElement frame) {
    return LOADER.equals(frame.getClassLoaderName());
  }

  /// Returns what to say of a plug-in that does not fit the classes it finds.
  ///
  /// @param where names the plug-in unless the error does: its class is the first in the stack
  ///   trace that a plug-in brought
  public static ConfigException anotherVersion(String where, LinkageError e) {
    String plugIn =
        Stream.of(e.getStackTrace())
            .filter(Installed::isOfPlugIn)
            .map(StackTraceElement::getClassName)
            .findFirst()
            .orElseGet(() -> receiver(e, where));
    return new ConfigException(
        plugIn,
        "a plug-in for this version of Tranche and for Java %d: build it again"
            .formatted(Runtime.version().feature()),
        "one for another: " + e);
  }
}
