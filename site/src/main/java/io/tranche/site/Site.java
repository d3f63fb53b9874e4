package io.tranche.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The whole site of a project.
public final class Site {

  private static final String GLOSSARY = "docs/glossary.md";

  private final Library library;
  private final Glossary glossary;

  private Site(Library library, Glossary glossary) {
    this.library = library;
    this.glossary = glossary;
  }

  /// Reads the pages of the project in folder `root`.
  public static Site read(Path root) throws IOException {
    Library library = Library.read(root);
    SitePage terms = library.page(GLOSSARY);
    return new Site(library, Glossary.of(terms == null ? new SitePage(GLOSSARY, "") : terms));
  }

  /// Returns what is wrong with the pages, by file and line.
  public List<PageFault> check() throws IOException {
    return new Checks(library, glossary).run();
  }

  /// Returns the content of each file of the site; the same pages give the same bytes. Called once.
  Map<String, byte[]> files(boolean hasJavadoc) throws IOException {
    var files = new TreeMap<String, byte[]>();
    var index = new SearchIndex();
    for (SitePage page : library.pages()) {
      if (page.path().equals(GLOSSARY)) {
        index.add(page, glossary);
      } else {
        index.add(page);
      }
    }
    files.put("search-index.js", index.script().getBytes(UTF_8));
    for (String name : List.of("site.css", "search.js")) {
      try (InputStream in = Site.class.getResourceAsStream(name)) {
        files.put(name, Objects.requireNonNull(in, name).readAllBytes());
      }
    }
    var sources = new SourcePages(library.root());
    var writer = new PageWriter(library, glossary, sources, hasJavadoc);
    for (SitePage page : library.pages()) {
      files.put(page.address(), writer.page(page));
    }
    files.putAll(sources.files(writer));
    return files;
  }

  /// Writes the site into `folder`, which is emptied first. Called once.
  ///
  /// @param javadoc the Javadoc to copy into it
  /// @return the number of files, without the Javadoc
  public int write(Path folder, @Nullable Path javadoc) throws IOException {
    Map<String, byte[]> files = files(javadoc != null);
    delete(folder);
    for (var entry : files.entrySet()) {
      Path file = folder.resolve(entry.getKey());
      Files.createDirectories(file.getParent());
      Files.write(file, entry.getValue());
    }
    if (javadoc != null) {
      try (Stream<Path> pages = Files.walk(javadoc)) {
        for (Path each : pages.filter(Files::isRegularFile).toList()) {
          Path copy = folder.resolve("javadoc").resolve(javadoc.relativize(each).toString());
          Files.createDirectories(copy.getParent());
          Files.copy(each, copy);
        }
      }
    }
    return files.size();
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    if (!Files.exists(folder.resolve("search-index.js"))) {
      try (Stream<Path> files = Files.list(folder)) {
        if (files.findAny().isPresent()) {
          throw new IOException(
              "%s: expected a site or an empty folder, was other files".formatted(folder));
        }
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.toList().reversed()) {
        Files.delete(each);
      }
    }
  }
}
