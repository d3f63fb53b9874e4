package io.tranche.market.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.tranche.config.ConfigException;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares with what the real Qlib answered: `qlib_operators/README.md` says how that was made.
class QlibOperatorsTest {

  // numpy's logarithm and power in single precision are a few units off in the last place, and its
  // means add in another order.
  private static final Pattern INEXACT = Pattern.compile("Log|Power|\\*\\*|WMA|Mad|EMA\\(.*, 0\\)");
  private static final float TOLERANCE = 4e-7f;

  @TempDir Path folder;

  @Test
  void answersAsQlibDoes() throws IOException {
    QlibStore store = store();
    var mistakes = new ArrayList<String>();
    List<String> lines = lines("expected.tsv");

    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      String mistake = compare(store, parts[0], parts[1], parts[2], parts[3]);
      if (mistake != null) {
        mistakes.add(parts[0] + " of " + parts[1] + ": " + mistake);
      }
    }

    assertThat(lines).hasSizeGreaterThan(1500);
    assertThat(mistakes).isEmpty();
  }

  private static @Nullable String compare(
      QlibStore store, String expression, String code, String indices, String values) {
    FeatureRows rows;
    try {
      rows =
          store
              .query(
                  List.of(expression),
                  BarTime.parse("2021-03-02 10:00:00"),
                  BarTime.parse("2021-03-03 09:45:00"))
              .rows(code);
    } catch (ConfigException | DataException e) {
      return indices.equals("error") ? null : "refused: " + e.getMessage();
    }
    if (indices.equals("error")) {
      return "not refused, Qlib raised " + values;
    }
    if (!indices.equals(ranges(rows))) {
      return "rows %s, Qlib %s".formatted(ranges(rows), indices);
    }
    String[] expected = values.isEmpty() ? new String[0] : values.split(" ", -1);
    for (int row = 0; row < expected.length; row++) {
      float wanted = parse(expected[row]);
      float found = rows.value(0, row);
      boolean close =
          INEXACT.matcher(expression).find()
              && Math.abs(found - wanted) <= TOLERANCE * Math.abs(wanted);
      if (!close && Float.compare(found + 0f, wanted + 0f) != 0) {
        return "row %d is %s, Qlib %s".formatted(row, found, wanted);
      }
    }
    return null;
  }

  private static String ranges(FeatureRows rows) {
    var text = new StringBuilder();
    for (int row = 0; row < rows.size(); ) {
      int first = row;
      while (row < rows.size() && rows.index(row) - rows.index(first) == row - first) {
        row++;
      }
      text.append(text.isEmpty() ? "" : ",").append(rows.index(first));
      text.append('-').append(rows.index(row - 1));
    }
    return text.toString();
  }

  private QlibStore store() throws IOException {
    var files = new StoreFiles(folder, "5min");
    var calendar = new StringBuilder();
    for (int day = 1; day <= 3; day++) {
      for (int start : Session.CHINA_STOCKS.barStarts(Frequency.ofMinutes(5))) {
        calendar.append(BarTime.format(BarTime.parse("2021-03-0" + day) + start)).append('\n');
      }
    }
    files.calendar(calendar.toString());
    files.instruments("");
    for (String line : lines("input.tsv")) {
      String[] parts = line.split("\t", -1);
      String[] numbers = parts[3].split(" ", -1);
      float[] values = new float[numbers.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = parse(numbers[i]);
      }
      files.bin(parts[0], parts[1], Float.parseFloat(parts[2]), values);
    }
    return QlibStore.open(folder, Frequency.ofMinutes(5));
  }

  private static float parse(String number) {
    return switch (number) {
      case "nan" -> Float.NaN;
      case "inf" -> Float.POSITIVE_INFINITY;
      case "-inf" -> Float.NEGATIVE_INFINITY;
      default -> Float.parseFloat(number);
    };
  }

  private static List<String> lines(String name) throws IOException {
    try (InputStream stream =
        QlibOperatorsTest.class.getResourceAsStream("/qlib_operators/" + name)) {
      return stream == null
          ? fail(name + " must be there")
          : new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
