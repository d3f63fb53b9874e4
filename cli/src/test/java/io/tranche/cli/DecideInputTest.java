package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is wrong with the input is named: file, place, rule and value.
class DecideInputTest {

  @TempDir static Path runs;
  @TempDir Path folder;

  private static DecideCase made =
      new DecideCase(Path.of(""), Path.of(""), Path.of(""), Path.of(""));

  @BeforeAll
  static void make() throws IOException {
    made = DecideCase.in(runs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing                                     | 3 | standard input: expected bars, was nothing
          a,b\\n                                      | 3 | standard input:1: expected columns instrument and datetime, was [a, b]
          instrument,datetime\\nA,2020-01-02 09:30\\n | 3 | standard input:1: expected a field
          HEAD\\nA,noon,REST                          | 3 | standard input:2: expected a date and time, was 'noon'
          HEAD\\nA,2020-01-02 09:30,1,2               | 3 | standard input:2: expected
          HEAD\\nA,2020-01-02 09:30,x,REST            | 3 | standard input:2: expected
          HEAD\\nA,"2020-01-02 09:30,REST             | 3 | standard input:2: expected a quote that ends on its line
          {"instrument":"A","datetime":[1]}           | 3 | standard input:1: expected a number or text as datetime
          {"instrument":"A",                          | 3 | standard input:1: expected a JSON object
          """)
  void badLinesAreNamed(String text, int status, String message) {
    String header = made.barLines(false).getFirst();
    String rest = "1" + ",1".repeat(header.split(",", -1).length - 3);
    String lines =
        text.equals("nothing")
            ? ""
            : text.replace("HEAD", header).replace("REST", rest).replace("\\n", "\n");

    Run result = made.piped(lines, "--orders", made.orders().toString());

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(status);
  }

  @Test
  void barsOfAnotherWidthAreRefused() {
    List<String> lines = new ArrayList<>(made.barLines(false).subList(0, 2));
    lines.add(lines.get(1).replace("09:30:00", "09:31:00"));

    Run result = made.pipedAll(lines);

    assertThat(result.status()).isEqualTo(ExitCode.DATA);
    assertThat(result.err())
        .contains("standard input:3: expected a time at which a bar of 5min begins, was ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          instrument,side,amount,date;A,sell,100,2020-01-02          | order.csv: row 1: A: expected an order with bars in
          instrument,side,amount,date;FIRST,hold,100,DATE            | order.csv: row 1: expected buy or sell in side, was hold
          instrument,side,amount,date;FIRST,sell,-1,DATE             | order.csv: row 1: expected a positive amount, was -1.0
          instrument,side,amount,date;FIRST,sell,1,DATE;FIRST,sell,x,DATE | order.csv: row 2: expected a number in amount, was x
          instrument,side,date;FIRST,sell,DATE                       | order.csv: expected a column amount
          instrument,side,amount;FIRST,sell,1                        | order.csv: expected one of [date, datetime]
          id,instrument,side,amount,date;x,FIRST,sell,1,DATE;x,FIRST,buy,1,DATE | order.csv: row 2: expected an id of its own, was x
          instrument,side,amount,start,end;FIRST,sell,1,DATE 14:59:00,DATE 15:00:00 | : expected an order with bars in
          instrument,side,amount,date                                | order.csv: expected orders, was none
          """)
  void badOrdersAreNamed(String text, String message) throws IOException {
    String date = made.firstDate();
    String first = made.firstInstrument();
    Path order =
        Files.writeString(
            folder.resolve("order.csv"),
            text.replace("DATE", date).replace("FIRST", first).replace(';', '\n') + "\n");

    Run result = made.decide("--bars", made.bars().toString(), "--orders", order.toString());

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(ExitCode.DATA);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void badOrdersAreLeftOutIfAsked() throws IOException {
    Path orders =
        Files.writeString(
            folder.resolve("order.csv"),
            "instrument,side,amount,date\nFIRST,sell,1,DATE\nFIRST,hold,1,DATE\nA,sell,1,DATE\n"
                .replace("DATE", made.firstDate())
                .replace("FIRST", made.firstInstrument()));

    Run all = made.decide("--bars", made.bars().toString(), "--orders", orders.toString());
    Run good =
        made.decide("--bars", made.bars().toString(), "--orders", orders.toString(), "--skip-bad");

    assertThat(all.status()).isEqualTo(ExitCode.DATA);
    assertThat(all.err()).contains("was 2 of 3 rows that cannot", "order.csv: row 2", "row 3");
    assertThat(good.status()).as(good.err()).isEqualTo(ExitCode.FAILED_ORDERS);
    assertThat(good.err()).contains("skipped: ", "order.csv: row 2", "row 3", "1 orders, ");
    assertThat(good.out()).contains(made.firstInstrument());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          id,datetime,volume;1,DATE 09:31,5            | fills.csv:1: expected the columns [id, datetime, volume, price]
          id,datetime,volume,price;no,DATE 09:31,5,10  | fills.csv:2: expected the id of an order, was 'no'
          id,datetime,volume,price;1,noon,5,10         | fills.csv:2: expected a date and time, was 'noon'
          id,datetime,volume,price;1,DATE 09:31,5e9,10 | fills.csv:2: expected a fill of what is working
          id,datetime,volume,price;1,DATE 09:31,5,0    | fills.csv:2: expected a fill of what is working
          id,datetime,volume,price;1,DATE 09:31,x,10   | fills.csv:2: expected a number as volume, was 'x'
          """)
  void badFillsAreNamed(String text, String message) throws IOException {
    String date = made.firstDate();
    Path fills =
        Files.writeString(
            folder.resolve("fills.csv"), text.replace("DATE", date).replace(';', '\n') + "\n");

    Run result = made.decideAll("--fills", fills.toString());

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(ExitCode.DATA);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          BUNDLE --orders ORDERS                                    | 2 | Missing required option: '--bars=FILE'
          BUNDLE --bars BARS                                        | 2 | Missing required option: '--orders=FILE'
          BUNDLE --bars BARS --orders ORDERS --history BARS         | 2 | --history: expected bars that come line by line
          BUNDLE --bars - --follow --orders ORDERS                  | 2 | --follow: expected a file
          BUNDLE --bars BARS --orders ORDERS --format xml           | 2 | xml
          BUNDLE --bars BARS/none --orders ORDERS                   | 3 | none: expected a file or folder, was none
          BUNDLE --bars BARS/none --follow --orders ORDERS          | 3 | none: expected a file, was none
          BUNDLE --bars BARS --orders ORDERS/none                   | 3 | none: expected an order file or a folder of them, was none
          BUNDLE --bars BARS --orders ORDERS --fills BARS/none      | 3 | none: expected a file, was none
          BUNDLE --bars BARS --orders ORDERS --out BARS/none/x.csv  | 3 | x.csv: expected a place that can be written
          CONFIG --bars BARS --orders ORDERS                        | 4 | config.yml: expected
          BARS/none --bars BARS --orders ORDERS                     | 4 | none: expected a file, was nothing there
          """)
  void wrongUsageIsOneMessage(String line, int status, String message) {
    String[] words =
        ("decide " + line)
            .replace("BUNDLE", made.bundle().toString())
            .replace("BARS", made.bars().toString())
            .replace("ORDERS", made.orders().toString())
            .replace("CONFIG", made.run().resolve("config.yml").toString())
            .split(" +", -1);

    Run result = Run.of(words);

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(status);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void linesWithAnyByteChangedAreTakenOrNamed() {
    String text = String.join("\n", made.barLines(false).subList(0, 30));
    var random = new SplittableRandom(1);
    for (int i = 0; i < Cases.count(20, 2_000); i++) {
      char[] changed = text.toCharArray();
      changed[random.nextInt(changed.length)] = (char) random.nextInt(32, 127);

      Run result = made.piped(new String(changed), "--orders", made.orders().toString());

      assertThat(result.status()).as(result.err()).isIn(ExitCode.OK, ExitCode.DATA);
      assertThat(Arrays.asList(result.err().split("\n", -1)))
          .noneMatch(line -> line.startsWith("\tat"));
    }
  }
}
