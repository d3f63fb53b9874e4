package io.tranche.analysis.record;

import io.tranche.market.DataException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// What a record says about itself, at its end.
///
/// @param orders how many there are
/// @param recorded how many of them decision by decision
/// @param scores what the scores of a decision are
/// @param features that the agent saw, by name
/// @param references the policies beside the agent
/// @param instruments by the numbers of their column
/// @param columns where each is
public record RecordHeader(
    int format,
    int orders,
    int recorded,
    ScoreKind scores,
    List<String> features,
    List<String> references,
    List<String> instruments,
    Map<String, Place> columns) {

  static final int FORMAT = 1;

  /// What the numbers of a decision's choices are.
  public enum ScoreKind {
    PROBABILITIES,
    /// What the agent expects of each choice.
    VALUES,
    /// The numbers of a continuous action.
    NUMBERS,
    NONE
  }

  /// Where a column is.
  ///
  /// @param width bytes of a value: 1, 4 or 8
  /// @param crc CRC-32 of its bytes
  public record Place(long offset, int width, long crc) {}

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  public RecordHeader {
    features = List.copyOf(features);
    references = List.copyOf(references);
    instruments = List.copyOf(instruments);
    columns = Map.copyOf(columns);
  }

  byte[] bytes() {
    return JSON.writeValueAsBytes(this);
  }

  /// @throws DataException if it is something else, or does not fit into the file
  static RecordHeader of(String where, byte[] bytes, long room) {
    RecordHeader header;
    try {
      header = JSON.readValue(bytes, RecordHeader.class);
    } catch (JacksonException e) {
      throw new DataException(where, "the header of a record", e.getOriginalMessage(), e);
    }
    if (header.format != FORMAT) {
      throw new DataException(where, "format " + FORMAT, header.format);
    }
    if (header.orders < 0 || header.recorded < 0 || header.recorded > header.orders) {
      throw new DataException(where, "a number of orders", header.orders);
    }
    header.columns.forEach(
        (name, place) -> {
          boolean fits =
              place.offset() >= 0
                  && (place.width() == 1 || place.width() == 4 || place.width() == 8)
                  && place.offset() <= room - (long) place.width() * header.orders;
          if (!fits) {
            throw new DataException(where, "columns within the file", name);
          }
        });
    return header;
  }
}
