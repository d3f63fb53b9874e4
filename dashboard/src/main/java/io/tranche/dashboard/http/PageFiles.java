package io.tranche.dashboard.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The files of the page, in memory. Nothing is read by a name that a request brings.
public final class PageFiles {

  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";

  private final Map<String, WebAnswer> files = new LinkedHashMap<>();

  /// Adds a resource beside a class, under a path.
  public PageFiles add(String path, Class<?> beside, String resource) {
    try (InputStream in = beside.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource must be there, was not: " + resource);
      }
      return add(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public PageFiles add(String path, String text) {
    files.put(path, WebAnswer.file(type(path), text.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  private static String type(String path) {
    String end = path.substring(path.lastIndexOf('.') + 1);
    return switch (end) {
      case "js" -> SCRIPT;
      case "css" -> STYLE;
      case "svg" -> "image/svg+xml";
      default -> "text/html; charset=utf-8";
    };
  }

  @Nullable WebAnswer find(String path) {
    return files.get(path);
  }
}
