package io.tranche.analysis.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reports as files: `report.html` for people, `report.md` for reviews and mails, `report.json` to
/// make the other two again.
public final class Reports {

  public static final String HTML = "report.html";
  public static final String MARKDOWN = "report.md";
  public static final String JSON = "report.json";
  public static final String COMPARISON_HTML = "comparison.html";
  public static final String COMPARISON_MARKDOWN = "comparison.md";

  private Reports() {}

  /// Writes all three forms into `folder`, which is made if it is not there. Each file appears
  /// whole or not at all; `report.html` is the last.
  ///
  /// @throws DataException if they cannot be written
  public static void write(ReportData data, Path folder) {
    var page = new Page(data.title(), data.description(), data.verdict(), ReportSections.of(data));
    write(folder.resolve(JSON), file -> ReportJson.write(data, file));
    write(
        folder.resolve(MARKDOWN), file -> Files.write(file, MarkdownPage.of(page).getBytes(UTF_8)));
    write(folder.resolve(HTML), file -> Files.write(file, HtmlPage.of(page).getBytes(UTF_8)));
  }

  /// Writes what several runs have in common and apart into `folder`, as `comparison.html` and
  /// `comparison.md`.
  ///
  /// @throws DataException if they cannot be written
  public static void write(ReportComparison comparison, Path folder) {
    Page page = comparison.page();
    write(
        folder.resolve(COMPARISON_MARKDOWN),
        file -> Files.write(file, MarkdownPage.of(page).getBytes(UTF_8)));
    write(
        folder.resolve(COMPARISON_HTML),
        file -> Files.write(file, HtmlPage.of(page).getBytes(UTF_8)));
  }

  /// Writes what a search found into `folder`, as `report.html` and `report.md`.
  ///
  /// @throws DataException if they cannot be written
  public static void write(SearchReport search, Path folder) {
    Page page = search.page();
    write(
        folder.resolve(MARKDOWN), file -> Files.write(file, MarkdownPage.of(page).getBytes(UTF_8)));
    write(folder.resolve(HTML), file -> Files.write(file, HtmlPage.of(page).getBytes(UTF_8)));
  }

  /// Reads what [#write] wrote.
  ///
  /// @param place a `report.json`, or the folder that holds one
  /// @throws DataException if it cannot be read or is no report; names the place
  public static ReportData read(Path place) {
    Path file = Files.isDirectory(place) ? place.resolve(JSON) : place;
    return ReportJson.read(file);
  }

  /// Writes one form into a file.
  @FunctionalInterface
  private interface Form {

    void write(Path file) throws IOException;
  }

  private static void write(Path target, Form form) {
    try {
      Files.createDirectories(target.toAbsolutePath().getParent());
      PendingFile.write(target, form::write);
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }
}
