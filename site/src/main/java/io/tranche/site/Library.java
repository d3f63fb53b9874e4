package io.tranche.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.commonmark.node.BulletList;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.jspecify.annotations.Nullable;

/// All pages of the project, and their order.
final class Library {

  /// A part of the navigation.
  record Section(String title, List<SitePage> pages) {}

  static final String CONTENTS = "docs/contents.md";
  static final String CHINESE_CONTENTS = "docs/zh/contents.md";

  private static final List<String> OUTSIDE =
      List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md");

  private final Path root;
  private final Map<String, SitePage> pages = new TreeMap<>();

  private Library(Path root) {
    this.root = root;
  }

  /// Reads the pages of the project in folder `root`.
  static Library read(Path root) throws IOException {
    var library = new Library(root);
    for (String name : OUTSIDE) {
      if (Files.exists(root.resolve(name))) {
        library.add(name);
      }
    }
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        String name = root.relativize(file).toString().replace('\\', '/');
        if (!name.startsWith("docs/javadoc/")) { // a page of the Javadoc, not of the site
          library.add(name);
        }
      }
    }
    return library;
  }

  private void add(String name) throws IOException {
    pages.put(name, new SitePage(name, Files.readString(root.resolve(name))));
  }

  Path root() {
    return root;
  }

  List<SitePage> pages() {
    return List.copyOf(pages.values());
  }

  @Nullable SitePage page(String path) {
    return pages.get(path);
  }

  /// Returns the Chinese page of an English one or the English page of a Chinese one, if any.
  @Nullable SitePage twin(SitePage page) {
    String path = page.path();
    if (page.isChinese()) {
      String name = path.substring("docs/zh/".length());
      return pages.get(name.equals("README.md") ? name : "docs/" + name);
    }
    return pages.get(
        path.equals("README.md") ? "docs/zh/README.md" : path.replaceFirst("^docs/", "docs/zh/"));
  }

  /// Returns the navigation: what the page of contents lists under its headings.
  List<Section> navigation(boolean isChinese) {
    SitePage contents = pages.get(isChinese ? CHINESE_CONTENTS : CONTENTS);
    var sections = new ArrayList<Section>();
    if (contents == null) {
      return sections;
    }
    for (Node each = contents.document().getFirstChild(); each != null; each = each.getNext()) {
      if (each instanceof Heading heading && heading.getLevel() == 2) {
        sections.add(new Section(SitePage.textOf(heading), new ArrayList<>()));
      } else if (each instanceof BulletList list && !sections.isEmpty()) {
        for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
          SitePage page = item instanceof ListItem ? listed(contents, item) : null;
          if (page != null) {
            sections.getLast().pages().add(page);
          }
        }
      }
    }
    return sections;
  }

  private @Nullable SitePage listed(SitePage contents, Node item) {
    return item.getFirstChild() instanceof Paragraph paragraph
            && paragraph.getFirstChild() instanceof Link link
        ? pages.get(resolve(contents, link.getDestination().replaceFirst("#.*", "")))
        : null;
  }

  /// Returns what a relative link of a page means, as a path in the project.
  static String resolve(SitePage page, String link) {
    Path folder = Path.of(page.path()).getParent();
    Path target = folder == null ? Path.of(link) : folder.resolve(link);
    return target.normalize().toString().replace('\\', '/');
  }
}
