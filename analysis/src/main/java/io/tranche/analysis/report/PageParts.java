package io.tranche.analysis.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// What every page of ours is drawn with: the chart library, our charts, colours and type. A page
/// of one file has it inside, the dashboard serves it.
public final class PageParts {

  private static final String LIBRARY = "uplot-1.6.32/";

  public static final String STYLE = resource(LIBRARY + "uPlot.min.css") + resource("page.css");

  /// The library reads the screen's resolution when it loads, so our script has a part before it.
  public static final String SCRIPT =
      resource("before.js") + resource(LIBRARY + "uPlot.iife.min.js") + resource("charts.js");

  private PageParts() {}

  static String resource(String name) {
    try (InputStream in = PageParts.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource must be there, was not: " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
