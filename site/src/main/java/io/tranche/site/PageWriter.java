package io.tranche.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/// Writes pages as HTML: the same frame around each, links that lead to other pages of the site,
/// and terms that lead to the glossary.
final class PageWriter {

  private final Library library;
  private final Glossary glossary;
  private final SourcePages sources;
  private final boolean hasJavadoc;

  PageWriter(Library library, Glossary glossary, SourcePages sources, boolean hasJavadoc) {
    this.library = library;
    this.glossary = glossary;
    this.sources = sources;
    this.hasJavadoc = hasJavadoc;
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /// Returns the link from one address of the site to another.
  static String relative(String from, String to) {
    Path folder = Path.of(from).getParent();
    return folder == null ? to : folder.relativize(Path.of(to)).toString().replace('\\', '/');
  }

  private static String top(String address) {
    return "../".repeat((int) address.chars().filter(each -> each == '/').count());
  }

  /// Returns a page of the site. Changes the links of the page's tree, so it is called once.
  byte[] page(SitePage page) {
    rewriteLinks(page);
    linkTerms(page);
    HtmlRenderer renderer =
        HtmlRenderer.builder()
            .extensions(SitePage.EXTENSIONS)
            .attributeProviderFactory(_ -> (node, _, values) -> attributes(page, node, values))
            .build();
    String body = renderer.render(page.document());
    return frame(page.address(), page.title(), body, page);
  }

  /// Returns a page that is not in the navigation.
  byte[] plain(String address, String title, String body) {
    return frame(address, title, "<h1>%s</h1>\n%s".formatted(escape(title), body), null);
  }

  private void attributes(SitePage page, Node node, Map<String, String> values) {
    if (node instanceof Heading heading) {
      page.titles().stream()
          .filter(title -> title.node().equals(heading))
          .findFirst()
          .ifPresent(title -> values.put("id", title.id()));
    } else if (node instanceof TableRow row && page.path().endsWith("glossary.md")) {
      values.put("id", Glossary.id(row));
    } else if (node.equals(page.audience())) {
      values.put("class", "audience");
    } else if (node instanceof Link link && link.getTitle() != null && isTerm(link)) {
      values.put("class", "term");
    }
  }

  private static boolean isTerm(Link link) {
    return link.getDestination().contains("#term-");
  }

  private void rewriteLinks(SitePage page) {
    page.document()
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Link link) {
                link.setDestination(target(page, link.getDestination()));
                super.visit(link);
              }

              @Override
              public void visit(Image image) {
                image.setDestination(target(page, image.getDestination()));
              }
            });
  }

  private String target(SitePage page, String link) {
    if (link.contains("://") || link.startsWith("mailto:") || link.startsWith("#")) {
      return link;
    }
    int hash = link.indexOf('#');
    String path = Library.resolve(page, hash < 0 ? link : link.substring(0, hash));
    SitePage other = library.page(path);
    String address = other == null ? sources.address(path) : other.address();
    return relative(page.address(), address) + (hash < 0 ? "" : link.substring(hash));
  }

  /// Links the first use of each term of several words, or in capitals, to the glossary; one plain
  /// word may also be meant in its usual sense.
  private void linkTerms(SitePage page) {
    if (page.path().endsWith("glossary.md") || page.isChinese()) {
      return;
    }
    var names = new ArrayList<String>();
    for (Glossary.Term term : glossary.all()) {
      if (term.name().contains(" ") || term.name().matches("[A-Z][A-Z0-9]+|bps")) {
        names.add(Pattern.quote(term.name()));
      }
    }
    if (names.isEmpty()) {
      return;
    }
    var pattern = Pattern.compile("\\b(?:%s)s?\\b".formatted(String.join("|", names)));
    var texts = new ArrayList<Text>();
    page.document()
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Text text) {
                texts.add(text);
              }

              @Override
              public void visit(Link link) {}

              @Override
              public void visit(Image image) {}

              @Override
              public void visit(Heading heading) {}
            });
    Set<String> seen = new HashSet<>();
    for (Text text : texts) {
      linkTerms(page, text, pattern, seen);
    }
  }

  private void linkTerms(SitePage page, Text text, Pattern pattern, Set<String> seen) {
    String words = text.getLiteral();
    Matcher matcher = pattern.matcher(words);
    int from = 0;
    var parts = new ArrayList<Node>();
    while (matcher.find()) {
      Glossary.Term term = glossary.find(matcher.group());
      if (term == null || !seen.add(term.id())) {
        continue;
      }
      parts.add(new Text(words.substring(from, matcher.start())));
      String address = relative(page.address(), "docs/glossary.html") + "#" + term.id();
      var link = new Link(address, term.meaning());
      link.appendChild(new Text(matcher.group()));
      parts.add(link);
      from = matcher.end();
    }
    if (!parts.isEmpty()) {
      parts.add(new Text(words.substring(from)));
      for (Node part : parts) {
        text.insertBefore(part);
      }
      text.unlink();
    }
  }

  private byte[] frame(String address, String title, String body, @Nullable SitePage page) {
    boolean isChinese = page != null && page.isChinese();
    String top = top(address);
    var html = new StringBuilder();
    html.append(
            "<!doctype html>\n<html lang=\"%s\" data-root=\"%s\">\n"
                .formatted(isChinese ? "zh" : "en", top))
        .append("<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<meta name=\"color-scheme\" content=\"light dark\">\n")
        .append(
            "<title>%s</title>\n"
                .formatted(escape(title.equals("Tranche") ? title : title + " · Tranche")))
        .append("<link rel=\"stylesheet\" href=\"%ssite.css\">\n</head>\n<body>\n".formatted(top))
        .append(header(address, page, isChinese))
        .append("<div class=\"columns\">\n")
        .append(navigation(address, page, isChinese))
        .append("<main>\n")
        .append(body);
    if (page != null) {
      html.append(neighbours(page));
    }
    html.append("</main>\n")
        .append(page == null ? "" : onThisPage(page, isChinese))
        .append("</div>\n")
        .append("<script src=\"%ssearch-index.js\"></script>\n".formatted(top))
        .append("<script src=\"%ssearch.js\"></script>\n</body>\n</html>\n".formatted(top));
    return html.toString().getBytes(UTF_8);
  }

  private String header(String address, @Nullable SitePage page, boolean isChinese) {
    String home = isChinese ? "docs/zh/README.html" : "index.html";
    SitePage twin = page == null ? null : library.twin(page);
    SitePage chinese = library.page("docs/zh/README.md");
    String other =
        twin != null
            ? twin.address()
            : isChinese ? "index.html" : chinese == null ? null : chinese.address();
    String words = isChinese ? "搜索（按 /）" : "Search (press /)";
    return "<header>\n<a class=\"home\" href=\"%s\">Tranche</a>\n"
            .formatted(relative(address, home))
        + "<div class=\"search\"><input id=\"search\" type=\"search\" placeholder=\"%s\" aria-label=\"%s\" autocomplete=\"off\">\n"
            .formatted(words, words)
        + "<ol id=\"results\" hidden></ol></div>\n"
        + (other == null
            ? ""
            : "<a class=\"language\" lang=\"%s\" href=\"%s\">%s</a>\n"
                .formatted(
                    isChinese ? "en" : "zh",
                    relative(address, other),
                    isChinese ? "English" : "中文"))
        + "</header>\n";
  }

  private String navigation(String address, @Nullable SitePage page, boolean isChinese) {
    var html = new StringBuilder();
    html.append("<nav aria-label=\"%s\">\n".formatted(isChinese ? "目录" : "Contents"))
        .append(
            "<input type=\"checkbox\" id=\"menu\"><label for=\"menu\">%s</label>\n<div>\n"
                .formatted(isChinese ? "目录" : "Contents"));
    for (Library.Section section : library.navigation(isChinese)) {
      boolean isOpen =
          page == null || section.pages().contains(page) || page.path().endsWith("README.md");
      html.append(
          "<details%s><summary>%s</summary>\n<ul>\n"
              .formatted(isOpen ? " open" : "", escape(section.title())));
      for (SitePage each : section.pages()) {
        html.append(
            "<li><a%s href=\"%s\">%s</a></li>\n"
                .formatted(
                    each == page ? " aria-current=\"page\"" : "",
                    relative(address, each.address()),
                    escape(each.path().endsWith("README.md") ? "Tranche" : each.title())));
      }
      html.append("</ul></details>\n");
    }
    if (hasJavadoc) {
      html.append(
          "<p><a href=\"%s\">Javadoc</a></p>\n".formatted(relative(address, "javadoc/index.html")));
    }
    return html.append("</div>\n</nav>\n").toString();
  }

  private static String onThisPage(SitePage page, boolean isChinese) {
    List<SitePage.Title> titles =
        page.titles().stream().skip(1).filter(title -> title.level() <= 3).toList();
    if (titles.size() < 3) {
      return "";
    }
    var html = new StringBuilder();
    html.append(
        "<aside aria-label=\"%1$s\"><b>%1$s</b>\n<ul>\n"
            .formatted(isChinese ? "本页" : "On this page"));
    for (SitePage.Title title : titles) {
      html.append(
          "<li class=\"level%d\"><a href=\"#%s\">%s</a></li>\n"
              .formatted(title.level(), escape(title.id()), escape(title.text())));
    }
    return html.append("</ul></aside>\n").toString();
  }

  private String neighbours(SitePage page) {
    List<SitePage> order =
        library.navigation(page.isChinese()).stream()
            .flatMap(section -> section.pages().stream())
            .toList();
    int at = order.indexOf(page);
    if (at < 0) {
      return "";
    }
    var html = new StringBuilder("<footer>\n");
    if (at > 0) {
      html.append(neighbour(page, order.get(at - 1), "prev", "← %s"));
    }
    if (at + 1 < order.size()) {
      html.append(neighbour(page, order.get(at + 1), "next", "%s →"));
    }
    return html.append("</footer>\n").toString();
  }

  private static String neighbour(SitePage from, SitePage to, String kind, String words) {
    return "<a rel=\"%s\" href=\"%s\">%s</a>\n"
        .formatted(
            kind, relative(from.address(), to.address()), words.formatted(escape(to.title())));
  }
}
