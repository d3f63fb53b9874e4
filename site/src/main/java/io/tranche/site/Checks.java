package io.tranche.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;

/// What must be true of every page: links lead somewhere, pictures have a text, the top says whom
/// the page is for, words of the trade are explained, and the page is listed.
final class Checks {

  private static final Pattern ABBREVIATION = Pattern.compile("\\b[A-Z][A-Z0-9]+(?=s?\\b)");

  /// Numbers of Qlib's quirks, which the page on its dialect explains.
  private static final String QUIRK = "Q\\d+";

  private final Library library;
  private final Glossary glossary;
  private final Set<String> wellKnown;
  private final Pattern jargon;
  private final List<PageFault> problems = new ArrayList<>();

  Checks(Library library, Glossary glossary) throws IOException {
    this.library = library;
    this.glossary = glossary;
    this.wellKnown = new HashSet<>();
    words("well-known.txt").forEach(line -> wellKnown.addAll(List.of(line.split(" "))));
    this.jargon =
        Pattern.compile(
            words("jargon.txt").stream()
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "\\b(?:", ")(?=s?\\b)")),
            Pattern.CASE_INSENSITIVE);
  }

  private static List<String> words(String resource) throws IOException {
    try (InputStream in = Checks.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }

  List<PageFault> run() {
    var listed = new HashSet<String>();
    for (boolean isChinese : new boolean[] {false, true}) {
      library.navigation(isChinese).stream()
          .flatMap(section -> section.pages().stream())
          .forEach(page -> listed.add(page.path()));
    }
    for (SitePage page : library.pages()) {
      audience(page);
      content(page);
      if (!listed.contains(page.path()) && !page.path().endsWith("contents.md")) {
        String contents = page.isChinese() ? Library.CHINESE_CONTENTS : Library.CONTENTS;
        add(page, 1, "expected the page in the list of " + contents + ", was missing there");
      }
      if (page.isChinese() && !page.path().equals(Library.CHINESE_CONTENTS)) {
        SitePage english = library.twin(page);
        if (english == null) {
          add(page, 1, "expected an English page of the same name, was none");
        } else {
          problems.addAll(Twins.compare(english, page));
        }
      }
    }
    problems.sort(null);
    return problems;
  }

  private void add(SitePage page, int line, String message) {
    problems.add(new PageFault(page.path(), line, message));
  }

  private void audience(SitePage page) {
    Paragraph paragraph = page.audience();
    String text = paragraph == null ? "" : SitePage.textOf(paragraph);
    boolean isThere =
        page.isChinese()
            ? text.startsWith("适合") && text.contains("读完")
            : text.startsWith("For ") && text.contains("After reading");
    if (!isThere) {
      add(
          page,
          paragraph == null ? 1 : SitePage.line(paragraph),
          page.isChinese()
              ? "expected '适合…。读完…' as the first paragraph, was another"
              : "expected 'For ... After reading, ...' as the first paragraph, was another");
    }
  }

  private void content(SitePage page) {
    page.document()
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Link link) {
                target(page, link.getDestination(), SitePage.line(link));
                super.visit(link);
              }

              @Override
              public void visit(Image image) {
                if (SitePage.textOf(image).isBlank()) {
                  add(page, SitePage.line(image), "expected a text for the picture, was none");
                }
                target(page, image.getDestination(), SitePage.line(image));
              }

              @Override
              public void visit(Text text) {
                terms(page, text);
              }
            });
  }

  private void target(SitePage page, String link, int line) {
    if (link.contains("://") || link.startsWith("mailto:")) {
      return;
    }
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    String path = file.isEmpty() ? page.path() : Library.resolve(page, file);
    SitePage target = library.page(path);
    if (target == null && !Files.exists(library.root().resolve(path))) {
      add(page, line, "expected a file at the end of the link, was " + link);
    } else if (hash >= 0 && target != null && !hasAnchor(target, link.substring(hash + 1))) {
      add(page, line, "expected a heading at the end of the link, was " + link);
    }
  }

  private boolean hasAnchor(SitePage page, String id) {
    if (page.hasAnchor(id)) {
      return true;
    }
    for (Glossary.Term term : glossary.all()) {
      if (page.path().endsWith("glossary.md") && term.id().equals(id)) {
        return true;
      }
    }
    return false;
  }

  private void terms(SitePage page, Text text) {
    if (page.path().equals("CHANGELOG.md")) {
      return; // says what changed, to those who knew it
    }
    String words = text.getLiteral();
    ABBREVIATION
        .matcher(words)
        .results()
        .map(found -> found.group())
        .filter(word -> !wellKnown.contains(word) && !word.matches(QUIRK))
        .forEach(word -> explained(page, text, word));
    jargon
        .matcher(words)
        .results()
        .forEach(found -> explained(page, text, found.group().toLowerCase(Locale.ROOT)));
  }

  private void explained(SitePage page, Text text, String word) {
    if (glossary.find(word) == null) {
      add(page, SitePage.line(text), "expected the term in docs/glossary.md, was missing: " + word);
    }
  }
}
