package io.tranche.site;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Files of the project that pages link to and that are no pages: shown as text, so that the site
/// is whole without the sources. Pictures are copied.
final class SourcePages {

  private static final Set<String> PICTURES = Set.of("svg", "png", "jpg");

  private final Path root;
  private final Set<String> wanted = new TreeSet<>();

  SourcePages(Path root) {
    this.root = root;
  }

  /// Returns the address of a file or folder of the project in the site.
  String address(String path) {
    wanted.add(path);
    return isPicture(path) ? path : "source/" + path + ".html";
  }

  private static boolean isPicture(String path) {
    return PICTURES.contains(path.substring(path.lastIndexOf('.') + 1));
  }

  /// Returns the content of each address: bytes of pictures, pages of files and folders.
  Map<String, byte[]> files(PageWriter writer) throws IOException {
    for (String path : Set.copyOf(wanted)) { // a folder's page links to its files
      if (Files.isDirectory(root.resolve(path))) {
        wanted.addAll(below(path));
      }
    }
    var files = new TreeMap<String, byte[]>();
    for (String path : wanted) {
      Path file = root.resolve(path);
      if (isPicture(path)) {
        files.put(path, Files.readAllBytes(file));
      } else if (Files.isDirectory(file)) {
        var list = new StringBuilder("<ul>\n");
        for (String each : below(path)) {
          list.append(
              "<li><a href=\"%s\">%s</a></li>\n"
                  .formatted(
                      PageWriter.relative(address(path), address(each)), PageWriter.escape(each)));
        }
        files.put(
            address(path), writer.plain(address(path), path, list.append("</ul>").toString()));
      } else {
        files.put(
            address(path),
            writer.plain(
                address(path),
                path,
                "<pre><code>%s</code></pre>".formatted(PageWriter.escape(text(file)))));
      }
    }
    return files;
  }

  private Set<String> below(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      var names = new TreeSet<String>();
      files
          .filter(Files::isRegularFile)
          .map(each -> root.relativize(each).toString().replace('\\', '/'))
          .filter(each -> !each.contains("/target/"))
          .filter(each -> each.matches(".*\\.(java|md|yml|yaml|json|xml|py|sh|txt|toml|service)"))
          .forEach(names::add);
      return names;
    }
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (MalformedInputException _) {
      return "(not a text)";
    }
  }
}
