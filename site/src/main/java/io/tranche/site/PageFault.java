package io.tranche.site;

/// Something wrong on a page.
///
/// @param file relative to the project
/// @param line counted from 1
public record PageFault(String file, int line, String message) implements Comparable<PageFault> {

  @Override
  public int compareTo(PageFault other) {
    int files = file.compareTo(other.file);
    return files != 0 ? files : Integer.compare(line, other.line);
  }

  @Override
  public String toString() {
    return "%s:%d: %s".formatted(file, line, message);
  }
}
