package io.tranche.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/// The index of the search: for each word the sections that have it, with how much they are about
/// it (BM25). A script reads it, so that the search works from a folder, without a server.
///
/// English words lose their endings; Chinese text is cut into pairs of characters. `search.js` does
/// the same to a question.
final class SearchIndex {

  private static final Pattern WORD = Pattern.compile("[a-z0-9_]+|\\p{IsHan}+");
  private static final int EXCERPT = 160;

  /// BM25's constants: how soon a repeated word counts no more, and how much length counts.
  private static final double SATURATION = 1.2;

  private static final double LENGTH = 0.6;

  /// A word of a heading counts like this many in the text.
  private static final int HEADING = 6;

  private static final int PAGE_TITLE = 2;

  /// A row of the glossary is so short that its words would count too much.
  private static final double TERM = 0.8;

  /// A comment in a section that must not be found, such as a list of questions.
  private static final String HIDDEN = "<!-- not searched -->";

  private record Section(
      String address,
      String page,
      String heading,
      String excerpt,
      Map<String, Integer> words,
      double weight) {}

  private final List<Section> sections = new ArrayList<>();

  /// Adds each term of the glossary: its row is the answer, not the whole table.
  void add(SitePage page, Glossary glossary) {
    var names = new LinkedHashMap<String, List<Glossary.Term>>();
    glossary
        .all()
        .forEach(each -> names.computeIfAbsent(each.id(), _ -> new ArrayList<>()).add(each));
    names.forEach(
        (id, terms) -> {
          String term = terms.stream().map(Glossary.Term::name).collect(Collectors.joining(", "));
          String meaning = terms.getFirst().meaning();
          var words = new HashMap<String, Integer>();
          count(words, meaning, 1);
          count(words, term, HEADING);
          sections.add(
              new Section(
                  page.address() + "#" + id, page.title(), term, shortened(meaning), words, TERM));
        });
  }

  void add(SitePage page) {
    List<SitePage.Title> titles = page.titles();
    for (int i = 0; i < titles.size(); i++) {
      SitePage.Title title = titles.get(i);
      Node end = i + 1 < titles.size() ? titles.get(i + 1).node() : null;
      var text = new StringBuilder();
      var excerpt = new StringBuilder();
      boolean isHidden = false;
      for (Node each = title.node().getNext();
          each != null && !each.equals(end);
          each = each.getNext()) {
        text.append(' ').append(wordsOf(each));
        isHidden |= each instanceof HtmlBlock html && html.getLiteral().contains(HIDDEN);
        if (each instanceof Paragraph && excerpt.isEmpty()) {
          excerpt.append(SitePage.textOf(each));
        }
      }
      if (isHidden) {
        continue;
      }
      var words = new HashMap<String, Integer>();
      count(words, text.toString(), 1);
      count(words, title.text(), HEADING);
      count(words, page.title(), PAGE_TITLE);
      String anchor = i == 0 ? "" : "#" + title.id();
      sections.add(
          new Section(
              page.address() + anchor,
              page.title(),
              title.text(),
              shortened(excerpt.toString()),
              words,
              weight(page)));
    }
  }

  private static String shortened(String text) {
    return text.length() > EXCERPT ? text.substring(0, EXCERPT - 1) + '…' : text;
  }

  /// Returns how much a page counts for a reader with a question: those about the project itself,
  /// and long lists, less than those that answer one.
  private static double weight(SitePage page) {
    String path = page.path();
    if (!path.startsWith("docs/") || path.equals("docs/decisions.md")) {
      return path.equals("README.md") ? 1 : 0.5;
    }
    return switch (path) {
      case "docs/reference/verbs.md", "docs/reference/errors.md" -> 0.7;
      case "docs/troubleshooting.md" -> 0.8; // its headings are messages
      default -> 1;
    };
  }

  private static void count(Map<String, Integer> words, String text, int weight) {
    tokens(text).forEach(word -> words.merge(word, weight, Integer::sum));
  }

  /// Returns the words of a text as the index has them.
  static List<String> tokens(String text) {
    var tokens = new ArrayList<String>();
    for (MatchResult found : WORD.matcher(text.toLowerCase(Locale.ROOT)).results().toList()) {
      String word = found.group();
      if (Character.isIdeographic(word.codePointAt(0))) {
        for (int i = 0; i + 1 < word.length(); i++) {
          tokens.add(word.substring(i, i + 2));
        }
        if (word.length() == 1) {
          tokens.add(word);
        }
      } else {
        tokens.add(stem(word));
        if (word.contains("_")) {
          for (String part : word.split("_+", -1)) {
            if (!part.isEmpty()) {
              tokens.add(stem(part));
            }
          }
        }
      }
    }
    return tokens;
  }

  /// Takes off the endings of plurals and verbs; `search.js` has the same rule.
  private static String stem(String word) {
    String stem = word;
    if (stem.length() > 5 && stem.endsWith("ing")) {
      stem = stem.substring(0, stem.length() - 3);
    } else if (stem.length() > 4 && stem.endsWith("ed")) {
      stem = stem.substring(0, stem.length() - 2);
    } else if (stem.length() > 4 && stem.endsWith("es")) {
      stem = stem.substring(0, stem.length() - 2);
    } else if (stem.length() > 3 && stem.endsWith("s") && !stem.endsWith("ss")) {
      stem = stem.substring(0, stem.length() - 1);
    }
    return stem.length() > 4 && stem.endsWith("e") ? stem.substring(0, stem.length() - 1) : stem;
  }

  private static String wordsOf(Node node) {
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

          @Override
          public void visit(FencedCodeBlock block) {
            words.append(' ').append(block.getLiteral());
          }

          @Override
          public void visit(CustomNode custom) {
            super.visit(custom);
            if (custom instanceof TableCell) {
              words.append(' ');
            }
          }
        });
    return words.toString();
  }

  /// Returns the script that holds the index.
  String script() {
    var postings = new TreeMap<String, StringBuilder>();
    var frequency = new HashMap<String, Integer>();
    double meanLength = 1;
    for (Section section : sections) {
      section.words().keySet().forEach(word -> frequency.merge(word, 1, Integer::sum));
      meanLength += (double) length(section) / sections.size();
    }
    for (int i = 0; i < sections.size(); i++) {
      double scale = 1 - LENGTH + LENGTH * length(sections.get(i)) / meanLength;
      for (var entry : sections.get(i).words().entrySet()) {
        int with = frequency.getOrDefault(entry.getKey(), 0);
        double rarity = Math.log(1 + (sections.size() - with + 0.5) / (with + 0.5));
        double count = entry.getValue();
        long weight =
            Math.round(
                100
                    * sections.get(i).weight()
                    * rarity
                    * count
                    * (SATURATION + 1)
                    / (count + SATURATION * scale));
        StringBuilder list = postings.computeIfAbsent(entry.getKey(), _ -> new StringBuilder());
        list.append(list.isEmpty() ? "" : ",").append(i).append(',').append(weight);
      }
    }
    var script = new StringBuilder("window.TRANCHE_SECTIONS=[\n");
    for (Section each : sections) {
      script.append(
          "[%s,%s,%s,%s],\n"
              .formatted(
                  quoted(each.address()),
                  quoted(each.page()),
                  quoted(each.heading()),
                  quoted(each.excerpt())));
    }
    script.append("];\nwindow.TRANCHE_WORDS={\n");
    postings.forEach((word, list) -> script.append("%s:[%s],\n".formatted(quoted(word), list)));
    return script.append("};\n").toString();
  }

  private static int length(Section section) {
    return section.words().values().stream().mapToInt(Integer::intValue).sum();
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", " ")
            .replace("<", "\\u003c")
        + '"';
  }
}
