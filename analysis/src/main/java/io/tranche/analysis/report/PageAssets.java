package io.tranche.analysis.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;

/// The script and the style sheet in every page, and the security policy that allows only these.
final class PageAssets {

  private static final String LIBRARY = "uplot-1.6.32/";

  static final String STYLE = text(LIBRARY + "uPlot.min.css") + text("page.css");

  /// The library reads the screen's resolution when it loads, so our script has a part before it.
  static final String SCRIPT =
      text("before.js") + text(LIBRARY + "uPlot.iife.min.js") + text("page.js");

  static final String POLICY =
      "default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'"
          .formatted(hash(SCRIPT), hash(STYLE));

  private PageAssets() {}

  private static String text(String name) {
    try (InputStream in = PageAssets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource must be there, was not: " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    return "sha256-" + Base64.getEncoder().encodeToString(Sha256.bytes(text.getBytes(UTF_8)));
  }
}
