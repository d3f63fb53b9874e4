package io.tranche.analysis.report;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reports as files: `report.html` for people, `report.md` for reviews and mails, `report.json` to
/// make the other two from.
public final class Reports {

  public static final String HTML = "report.html";
  public static final String MARKDOWN = "report.md";
  public static final String JSON = "report.json";
  public static final String COMPARISON_HTML = "comparison.html";
  public static final String COMPARISON_MARKDOWN = "comparison.md";

  private Reports() {}

  /// Writes all three forms into `folder`, which is created if necessary. Each file becomes visible
  /// only when it is complete; `report.html` is the last.
  ///
  /// @throws DataException if they cannot be written
  public static void write(ReportData data, Path folder) {
    write(folder.resolve(JSON), file -> ReportJson.write(data, file));
    write(
        new Page(data.title(), data.description(), data.verdict(), ReportSections.of(data)),
        folder.resolve(MARKDOWN),
        folder.resolve(HTML));
  }

  /// Writes a comparison of several runs into `folder`, as `comparison.html` and `comparison.md`.
  ///
  /// @throws DataException if they cannot be written
  public static void write(ReportComparison comparison, Path folder) {
    write(comparison.page(), folder.resolve(COMPARISON_MARKDOWN), folder.resolve(COMPARISON_HTML));
  }

  /// Writes the result of a search into `folder`, as `report.html` and `report.md`.
  ///
  /// @throws DataException if they cannot be written
  public static void write(SearchReport search, Path folder) {
    write(search.page(), folder.resolve(MARKDOWN), folder.resolve(HTML));
  }

  private static void write(Page page, Path markdown, Path html) {
    write(markdown, file -> Files.writeString(file, MarkdownPage.of(page)));
    write(html, file -> Files.writeString(file, HtmlPage.of(page)));
  }

  /// Reads what [#write] wrote.
  ///
  /// @param place a `report.json`, or the folder that holds one
  /// @throws DataException if it cannot be read or is no report; names the place
  public static ReportData read(Path place) {
    return ReportJson.read(Files.isDirectory(place) ? place.resolve(JSON) : place);
  }

  /// Reads what [#write] wrote, without its orders, examples and training: quick, however many
  /// there are.
  ///
  /// @param place a `report.json`
  /// @throws DataException as above
  public static ReportData readSummary(Path place) {
    return ReportJson.readSummary(place);
  }

  private static void write(Path target, PendingFile.Content form) {
    try {
      Files.createDirectories(target.toAbsolutePath().getParent());
      PendingFile.write(target, form);
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }
}
