package io.tranche.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Document;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.jspecify.annotations.Nullable;

/// Compares a translated page with its original: headings, commands, figures, links and pictures
/// are the same, in the same order. Sentences are free.
final class Twins {

  /// Something that both pages must have.
  private record Mark(String kind, String value, int line) {}

  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*\\d|\\d");

  /// A number of a sentence that no language writes as a word.
  private static final Pattern FIGURE = Pattern.compile("\\d[\\d,.]*\\d");

  private Twins() {}

  static List<PageFault> compare(SitePage original, SitePage translated) {
    List<Mark> expected = marks(original);
    List<Mark> found = marks(translated);
    var problems = new ArrayList<PageFault>();
    for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
      @Nullable Mark want = i < expected.size() ? expected.get(i) : null;
      @Nullable Mark have = i < found.size() ? found.get(i) : null;
      if (want == null
          || have == null
          || !want.kind().equals(have.kind())
          || !want.value().equals(have.value())) {
        int line = have == null ? lastLine(translated) : have.line();
        problems.add(
            new PageFault(
                translated.path(),
                line,
                "expected %s as on line %d of %s, was %s"
                    .formatted(
                        describe(want),
                        want == null ? lastLine(original) : want.line(),
                        original.path(),
                        describe(have))));
        break; // what follows is shifted
      }
    }
    return problems;
  }

  private static String describe(@Nullable Mark mark) {
    return mark == null ? "the end" : mark.kind() + " " + mark.value();
  }

  private static int lastLine(SitePage page) {
    return (int) page.text().lines().count();
  }

  private static List<Mark> marks(SitePage page) {
    var marks = new ArrayList<Mark>();
    page.document()
        .accept(
            new AbstractVisitor() {
              private final Set<String> figures = new TreeSet<>();

              @Override
              public void visit(Document document) {
                super.visit(document);
                flush(document);
              }

              // Ends a section: its sentences have these figures, in whatever order.
              private void flush(Node at) {
                add("sentences with the figures", String.join(" ", figures), at);
                figures.clear();
              }

              private void add(String kind, String value, Node node) {
                marks.add(new Mark(kind, value, SitePage.line(node)));
              }

              @Override
              public void visit(Heading heading) {
                flush(heading);
                add("a heading of level", Integer.toString(heading.getLevel()), heading);
                super.visit(heading);
              }

              @Override
              public void visit(FencedCodeBlock block) {
                add("the code", code(block.getLiteral()), block);
              }

              @Override
              public void visit(Image image) {
                add("the picture", target(page, image.getDestination()), image);
              }

              @Override
              public void visit(Text text) {
                FIGURE
                    .matcher(text.getLiteral())
                    .results()
                    .forEach(found -> figures.add(found.group()));
              }

              @Override
              public void visit(CustomNode node) {
                if (node instanceof TableRow row) {
                  add("a row with the figures", numbers(row), row);
                } else {
                  super.visit(node);
                }
              }
            });
    return marks;
  }

  /// Returns code without its comments, which are translated.
  private static String code(String text) {
    return text.lines()
        .map(line -> line.replaceFirst("(^|\\s+)(#|//|///) .*$", "").stripTrailing())
        .filter(line -> !line.isBlank())
        .reduce("", (a, b) -> a + "\n" + b);
  }

  /// Returns the figures of a row, cell by cell.
  private static String numbers(TableRow row) {
    var numbers = new StringBuilder();
    for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
      if (cell instanceof TableCell) {
        numbers.append('|');
        NUMBER
            .matcher(SitePage.textOf(cell))
            .results()
            .map(found -> found.group())
            .sorted() // languages put them in different places
            .forEach(found -> numbers.append(' ').append(found));
      }
    }
    return numbers.toString();
  }

  /// Returns a picture's file without its language: `x-zh.svg` is the Chinese `x.svg`.
  private static String target(SitePage page, String link) {
    return Library.resolve(page, link).replaceFirst("-zh\\.svg$", ".svg");
  }
}
