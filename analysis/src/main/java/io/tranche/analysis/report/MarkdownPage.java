package io.tranche.analysis.report;

import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import java.util.List;
import java.util.stream.Collectors;

/// A page as Markdown: the same words and tables, without the charts.
final class MarkdownPage {

  private final StringBuilder markdown = new StringBuilder();

  private MarkdownPage() {}

  static String of(Page page) {
    var made = new MarkdownPage();
    made.line("# " + escape(page.title()));
    if (!page.description().isEmpty()) {
      made.line(escape(page.description()));
    }
    if (page.verdict() != null) {
      made.line(
          "> **%s.** %s"
              .formatted(Page.word(page.verdict().kind()), escape(page.verdict().sentence())));
    }
    page.sections().forEach(made::section);
    return made.markdown.toString();
  }

  private void section(Section section) {
    line("## " + section.title());
    if (!section.note().isEmpty()) {
      line(escape(section.note()));
    }
    for (Panel panel : section.panels()) {
      if (!panel.heading().isEmpty()) {
        line("### " + escape(panel.heading()));
      }
      panel.blocks().forEach(this::block);
    }
  }

  private void block(Block block) {
    switch (block) {
      case Block.Table table -> table(table);
      case Block.Facts(List<Fact> facts) ->
          line(
              facts.stream()
                  .map(
                      fact ->
                          "- %s: **%s** (%s)"
                              .formatted(
                                  escape(fact.name()), escape(fact.value()), escape(fact.detail())))
                  .collect(Collectors.joining("\n")));
      case Block.Items(List<String> texts) ->
          line(texts.stream().map(text -> "- " + escape(text)).collect(Collectors.joining("\n")));
      case Block.Source(String summary, String text) ->
          line("%s:\n\n%s".formatted(escape(summary), text.stripTrailing().indent(4)));
      case Block.Figure _ -> {} // the tables beside them hold the numbers
    }
  }

  private void table(Block.Table table) {
    var text = new StringBuilder();
    row(text, table.columns().stream().map(Section.Column::name).toList());
    row(text, table.columns().stream().map(c -> c.isNumber() ? "---:" : "---").toList());
    table.rows().forEach(row -> row(text, row.stream().map(MarkdownPage::escape).toList()));
    line(text.toString());
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void line(String text) {
    markdown.append(text.stripTrailing()).append("\n\n");
  }

  /// Keeps text from becoming markup: a viewer may pass HTML on.
  private static String escape(String text) {
    return text.replaceAll("[\\\\`*_\\[\\]|#]", "\\\\$0")
        .replaceAll("[\n\r]", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;");
  }
}
