package io.tranche.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.jspecify.annotations.Nullable;

/// One page in Markdown.
final class SitePage {

  /// A heading.
  ///
  /// @param id its anchor, by the rule that code hosts use, so that links work there too
  record Title(int level, String text, String id, int line, Heading node) {}

  static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

  private static final Parser PARSER =
      Parser.builder()
          .extensions(EXTENSIONS)
          .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
          .build();

  private final String path;
  private final String text;
  private final Node document;
  private final List<Title> titles = new ArrayList<>();

  /// @param path relative to the project, with slashes
  SitePage(String path, String text) {
    this.path = path;
    this.text = text;
    this.document = PARSER.parse(text);
    var seen = new HashMap<String, Integer>();
    for (Node each = document.getFirstChild(); each != null; each = each.getNext()) {
      if (each instanceof Heading heading) {
        String words = textOf(heading);
        titles.add(new Title(heading.getLevel(), words, id(words, seen), line(each), heading));
      }
    }
  }

  private static String id(String words, Map<String, Integer> seen) {
    String slug =
        words.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    int before = seen.merge(slug, 1, Integer::sum) - 1;
    return before == 0 ? slug : slug + "-" + before;
  }

  String path() {
    return path;
  }

  String text() {
    return text;
  }

  Node document() {
    return document;
  }

  List<Title> titles() {
    return titles;
  }

  String title() {
    return titles.isEmpty() ? path : titles.getFirst().text();
  }

  /// Returns where the page is in the site.
  String address() {
    return path.equals("README.md") ? "index.html" : path.replaceFirst("\\.md$", ".html");
  }

  boolean isChinese() {
    return path.startsWith("docs/zh/");
  }

  /// Returns the paragraph that says whom the page is for: the first one after the title.
  @Nullable Paragraph audience() {
    for (Node each = document.getFirstChild(); each != null; each = each.getNext()) {
      if (each instanceof Paragraph paragraph) {
        return paragraph;
      }
    }
    return null;
  }

  boolean hasAnchor(String id) {
    return titles.stream().anyMatch(each -> each.id().equals(id));
  }

  /// Returns the line on which a node begins.
  static int line(Node node) {
    for (Node at = node; at != null; at = at.getParent()) {
      if (!at.getSourceSpans().isEmpty()) {
        return at.getSourceSpans().getFirst().getLineIndex() + 1;
      }
    }
    return 1;
  }

  /// Returns the words of a node, without their markup.
  static String textOf(Node node) {
    var words = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            words.append(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            words.append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak lineBreak) {
            words.append(' ');
          }
        });
    return words.toString();
  }
}
