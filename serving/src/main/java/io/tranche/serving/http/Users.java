package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Who may call the service, by token. Files are read again when they change, so that tokens can be
/// replaced while the service runs. Any thread may call it.
public final class Users {

  /// What a user may do. Everybody may read.
  public enum Role {
    /// Read only.
    READER,
    /// Days, bars, orders, decisions and fills.
    CLIENT,
    /// Switches and limits, but no orders.
    RISK,
    /// Everything.
    OPERATOR
  }

  record User(String name, Role role, Token token) {}

  /// A file of users, or of the one token of a role.
  ///
  /// @param role null for a file of users
  private record Source(Path file, @Nullable Role role) {

    List<User> read() {
      if (role != null) {
        return List.of(new User(word(role), role, Token.read(file)));
      }
      var users = new ArrayList<User>();
      List<String> lines;
      try {
        lines = Files.readAllLines(file);
      } catch (IOException e) {
        throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
      }
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).strip();
        if (!line.isEmpty() && !line.startsWith("#")) {
          users.add(user(file + ":" + (i + 1), line));
        }
      }
      return users;
    }

    private static User user(String where, String line) {
      String[] parts = line.split("\\s+", -1);
      if (parts.length != 3 || !NAME.matcher(parts[0]).matches()) {
        throw new ConfigException(
            where, "a name, a role and the SHA-256 of a token", parts.length + " words");
      }
      for (Role each : Role.values()) {
        if (word(each).equals(parts[1])) {
          try {
            return new User(parts[0], each, Token.ofHash(parts[2]));
          } catch (IllegalArgumentException e) {
            throw new ConfigException(where, "64 hexadecimal digits", "something else");
          }
        }
      }
      throw new ConfigException(
          where, "one of " + Arrays.stream(Role.values()).map(Users::word).toList(), parts[1]);
    }

    /// Returns what changes when the file does.
    String version() {
      try {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return "%s %d %s"
            .formatted(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
      } catch (IOException e) {
        return "missing";
      }
    }
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final List<Source> sources;
  private volatile List<User> users;
  private String version = "";
  private long nextCheck;

  private Users(List<Source> sources, List<User> users) {
    this.sources = List.copyOf(sources);
    this.users = List.copyOf(users);
    this.version = version();
    this.nextCheck = System.nanoTime() + CHECK_NANOS;
  }

  /// Returns users with one token for operators, or nobody.
  public static Users of(@Nullable Token operator) {
    return new Users(
        List.of(),
        operator == null
            ? List.of()
            : List.of(new User(word(Role.OPERATOR), Role.OPERATOR, operator)));
  }

  /// Reads the users of files.
  ///
  /// @param named a file with a line per user: name, role, SHA-256 of the token
  /// @param operator a file with the token of an operator, and so on; all may be null
  /// @throws ConfigException if a file cannot be read
  public static Users read(
      @Nullable Path named,
      @Nullable Path operator,
      @Nullable Path client,
      @Nullable Path reader) {
    var sources = new ArrayList<Source>();
    add(sources, operator, Role.OPERATOR);
    add(sources, client, Role.CLIENT);
    add(sources, reader, Role.READER);
    add(sources, named, null);
    return new Users(sources, read(sources));
  }

  private static void add(List<Source> sources, @Nullable Path file, @Nullable Role role) {
    if (file != null) {
      sources.add(new Source(file, role));
    }
  }

  private static List<User> read(List<Source> sources) {
    return sources.stream().flatMap(each -> each.read().stream()).toList();
  }

  static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  /// Whether there is anybody with a role.
  boolean has(Role role) {
    return users.stream().anyMatch(each -> each.role() == role);
  }

  /// Whether two people can be told apart: users have names of their own.
  public boolean areNamed() {
    return sources.stream().anyMatch(each -> each.role() == null);
  }

  /// Returns whose token a request has, or null.
  @Nullable User find(@Nullable String authorization) {
    User found = null;
    if (authorization != null) {
      for (User each : users) { // all of them, so that the time says nothing
        found = each.token().isShown(authorization) ? each : found;
      }
    }
    return found;
  }

  /// Reads files again that have changed. If one is wrong, everybody stays as before.
  ///
  /// @param warn gets a sentence
  void refresh(Consumer<String> warn) {
    if (sources.isEmpty() || System.nanoTime() - nextCheck < 0) {
      return;
    }
    synchronized (this) {
      nextCheck = System.nanoTime() + CHECK_NANOS;
      String now = version();
      if (now.equals(version)) {
        return;
      }
      version = now;
      try {
        users = read(sources);
        warn.accept("tokens were read again: %d users".formatted(users.size()));
      } catch (ConfigException e) {
        warn.accept("tokens stay as they were: " + e.getMessage());
      }
    }
  }

  private String version() {
    var text = new StringBuilder();
    sources.forEach(each -> text.append(each.version()).append(';'));
    return text.toString();
  }

  @Override
  public String toString() {
    return users.size() + " users";
  }
}
