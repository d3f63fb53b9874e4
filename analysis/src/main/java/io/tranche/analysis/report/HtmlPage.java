package io.tranche.analysis.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.analysis.Verdict;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.files.Sha256;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/// A page as one self-contained HTML file.
///
/// The page loads nothing: its content security policy allows only the script and the style sheet
/// in the page itself, by their hashes. Texts are escaped; chart data are in a script element that
/// browsers do not execute.
final class HtmlPage {

  private static final String STYLE = PageParts.STYLE;
  private static final String SCRIPT = PageParts.SCRIPT + PageParts.resource("page.js");

  private static final String POLICY =
      "default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'"
          .formatted(hash(SCRIPT), hash(STYLE));

  private final StringBuilder html = new StringBuilder();
  private final List<Chart> charts = new ArrayList<>();

  private HtmlPage() {}

  static String of(Page page) {
    var made = new HtmlPage();
    made.head(page);
    made.body(page);
    return made.html.toString();
  }

  private static String hash(String text) {
    return "sha256-" + Base64.getEncoder().encodeToString(Sha256.bytes(text.getBytes(UTF_8)));
  }

  private void head(Page page) {
    raw(
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="%s">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        """
            .formatted(POLICY));
    element("title", page.title()).raw("\n<style>").raw(STYLE);
    raw("</style>\n</head>\n");
  }

  private void body(Page page) {
    raw("<body>\n<header>\n");
    element("h1", page.title()).raw("\n");
    if (!page.description().isEmpty()) {
      raw("<p class=\"description\">").text(page.description()).raw("</p>\n");
    }
    Verdict verdict = page.verdict();
    if (verdict != null) {
      String kind = verdict.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
      raw("<p class=\"verdict ").raw(kind).raw("\" id=\"verdict\"><strong>");
      text(Page.word(verdict.kind())).raw("</strong> ");
      raw("<span>").text(verdict.sentence()).raw("</span></p>\n");
    }
    raw("<nav aria-label=\"Sections\">");
    for (Section section : page.sections()) {
      raw("<a href=\"#").raw(section.id()).raw("\">").text(section.title()).raw("</a> ");
    }
    raw("</nav>\n</header>\n<main>\n");
    page.sections().forEach(this::section);
    raw("</main>\n<footer>Made by Tranche. Advantages are in basis points (bps) of the price;")
        .raw(" intervals are 95 % and clustered by day.</footer>\n");
    raw("<script type=\"application/json\" id=\"charts\">").raw(ReportJson.of(charts));
    raw("</script>\n<script>").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
  }

  private void section(Section section) {
    raw("<section id=\"").raw(section.id()).raw("\">\n");
    element("h2", section.title()).raw("\n");
    if (!section.note().isEmpty()) {
      raw("<p class=\"note\">").text(section.note()).raw("</p>\n");
    }
    section.panels().forEach(this::panel);
    raw("</section>\n");
  }

  private void panel(Panel panel) {
    if (!panel.heading().isEmpty()) {
      element("h3", panel.heading()).raw("\n");
    }
    raw("<div class=\"panel").raw(panel.blocks().size() > 1 ? " pair" : "").raw("\">\n");
    panel.blocks().forEach(this::block);
    raw("</div>\n");
  }

  private void block(Block block) {
    switch (block) {
      case Block.Table table -> table(table);
      case Block.Facts(List<Fact> facts) -> facts(facts);
      case Block.Items(List<String> texts) -> {
        raw("<ul>\n");
        texts.forEach(text -> element("li", text).raw("\n"));
        raw("</ul>\n");
      }
      case Block.Source(String summary, String text) -> {
        raw("<details>");
        element("summary", summary).raw("<pre>").text(text).raw("</pre></details>\n");
      }
      case Block.Figure(String caption, Chart chart) -> {
        raw("<figure><div class=\"chart\" role=\"img\" aria-label=\"").text(caption);
        raw("\" data-chart=\"").raw(Integer.toString(charts.size())).raw("\"></div>");
        element("figcaption", caption).raw("</figure>\n");
        charts.add(chart);
      }
    }
  }

  private void facts(List<Fact> facts) {
    raw("<dl class=\"facts\">\n");
    for (Fact fact : facts) {
      raw("<div>");
      element("dt", fact.name()).raw("<dd><b>").text(fact.value()).raw("</b> <span>");
      text(fact.detail()).raw("</span></dd></div>\n");
    }
    raw("</dl>\n");
  }

  private void table(Block.Table table) {
    raw("<div class=\"scroll\"><table>\n<thead><tr>");
    for (Column column : table.columns()) {
      raw(column.isNumber() ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
      text(column.name()).raw("</th>");
    }
    raw("</tr></thead>\n<tbody>\n");
    for (List<String> row : table.rows()) {
      raw("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String tag = i == 0 ? "th scope=\"row\"" : "td";
        raw("<").raw(tag).raw(table.columns().get(i).isNumber() ? " class=\"n\">" : ">");
        text(row.get(i)).raw(i == 0 ? "</th>" : "</td>");
      }
      raw("</tr>\n");
    }
    raw("</tbody></table></div>\n");
  }

  /// Appends markup.
  private HtmlPage raw(String markup) {
    html.append(markup);
    return this;
  }

  private HtmlPage element(String tag, String text) {
    return raw("<").raw(tag).raw(">").text(text).raw("</").raw(tag).raw(">");
  }

  /// Appends escaped text, for content and for quoted attributes. HTML does not allow control
  /// characters.
  private HtmlPage text(String text) {
    return raw(
        text.replaceAll("[\\x00-\\x08\\x0B-\\x1F\\x7F]", "\uFFFD")
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;")
            .replace("'", "&#39;"));
  }
}
