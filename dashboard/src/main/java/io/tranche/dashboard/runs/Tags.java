package io.tranche.dashboard.runs;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The words by which people find a run, in `tags.json`: a list of texts.
public final class Tags {

  private static final int MOST = 20;
  private static final int LONGEST = 40;
  private static final long LARGEST = 16 << 10;

  private Tags() {}

  /// Returns the tags of a file; none if it is missing.
  ///
  /// @throws DataException if it holds something else
  static List<String> read(Path file) {
    try {
      if (Files.size(file) > LARGEST) {
        throw new DataException(file.toString(), "at most %d bytes".formatted(LARGEST), "more");
      }
      return of(file.toString(), JsonMapper.shared().readTree(Files.readAllBytes(file)));
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (JacksonException e) {
      throw new DataException(file.toString(), "a list of texts", e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  /// Returns tags that were sent or stored.
  ///
  /// @throws DataException if they are something else
  public static List<String> of(String where, JsonNode list) {
    var tags = new ArrayList<String>();
    for (JsonNode each : list) {
      String text = each.isString() ? each.stringValue().strip() : "";
      boolean isSane =
          !text.isEmpty()
              && text.length() <= LONGEST
              && text.chars().noneMatch(Character::isISOControl);
      if (!isSane) {
        throw new DataException(
            where, "texts of 1 to %d characters".formatted(LONGEST), each.toString());
      }
      if (!tags.contains(text)) {
        tags.add(text);
      }
    }
    if (!list.isArray() || tags.size() > MOST) {
      throw new DataException(where, "a list of at most %d texts".formatted(MOST), tags.size());
    }
    return tags;
  }

  /// @throws DataException if it cannot be written
  public static void write(Path file, List<String> tags) {
    try {
      PendingFile.write(file, JsonMapper.shared().writeValueAsBytes(tags));
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
