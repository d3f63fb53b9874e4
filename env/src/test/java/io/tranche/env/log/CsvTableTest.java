package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

// Every expectation is what pandas 1.5.3 writes for the same records.
class CsvTableTest {

  private static final LocalDateTime NOON = LocalDateTime.parse("2020-01-02T12:00:00");
  private static final LocalDateTime MIDNIGHT = LocalDateTime.parse("2020-01-03T00:00:00");

  @Test
  void columnsComeInTheOrderOfTheirFirstAppearance() throws IOException {
    assertThat(csv(record("b", 1.0, "a", 2.0), record("c", 3.0, "a", -0.0)))
        .isEqualTo("b,a,c\n1.0,2.0,\n,-0.0,3.0\n");
  }

  @Test
  void nothingIsASingleLineEnd() throws IOException {
    assertThat(csv()).isEqualTo("\n");
    assertThat(csv(record(), record())).isEqualTo("\n");
  }

  @Test
  void textsAreQuotedOnlyWhereTheyMust() throws IOException {
    assertThat(csv(record("a,b", "x\"y", "c", "two\nlines", "d", " plain ")))
        .isEqualTo("\"a,b\",c,d\n\"x\"\"y\",\"two\nlines\", plain \n");
  }

  @Test
  void aLoneEmptyCellIsQuoted() throws IOException {
    assertThat(csv(record("a", Double.NaN), record("a", 1.0))).isEqualTo("a\n\"\"\n1.0\n");
  }

  @Test
  void midnightsAreDates() throws IOException {
    assertThat(csv(record("t", MIDNIGHT, "x", 1.0), record("x", 2.0)))
        .isEqualTo("t,x\n2020-01-03,1.0\n,2.0\n");
  }

  @Test
  void oneTimeThatIsNoMidnightShowsAllTimes() throws IOException {
    assertThat(csv(record("t", MIDNIGHT), record("t", NOON)))
        .isEqualTo("t\n2020-01-03 00:00:00\n2020-01-02 12:00:00\n");
  }

  @Test
  void allTimesHaveTheDigitsOfTheMostPrecise() throws IOException {
    assertThat(csv(record("t", NOON), record("t", NOON.plusNanos(5_000_000))))
        .isEqualTo("t\n2020-01-02 12:00:00.000\n2020-01-02 12:00:00.005\n");
    assertThat(csv(record("t", NOON), record("t", NOON.plusNanos(5_000))))
        .isEqualTo("t\n2020-01-02 12:00:00.000000\n2020-01-02 12:00:00.000005\n");
    assertThat(csv(record("t", NOON), record("t", NOON.plusNanos(5))))
        .isEqualTo("t\n2020-01-02 12:00:00.000000000\n2020-01-02 12:00:00.000000005\n");
  }

  @Test
  void inAMixedColumnEachValuePrintsAsAlone() throws IOException {
    assertThat(
            csv(
                record("m", MIDNIGHT),
                record("m", "text"),
                record("m", 1e-7),
                record("m", NOON.plusNanos(5_000_000)),
                record("m", Double.NEGATIVE_INFINITY)))
        .isEqualTo("m\n2020-01-03 00:00:00\ntext\n1e-07\n2020-01-02 12:00:00.005000\n-inf\n");
  }

  private static Map<String, Object> record(Object... namesAndValues) {
    var record = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      record.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return record;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static String csv(Map<String, Object>... records) throws IOException {
    var out = new StringBuilder();
    CsvTable.write(List.of(records), out);
    return out.toString();
  }
}
