package io.tranche.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Browser;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The site in a real browser, from a folder: its search, and pages on narrow and wide screens.
class SearchTest {

  /// A row of the questions: who asks, what, and the page and heading with the answer.
  private static final Pattern QUESTION =
      Pattern.compile(
          "^\\| ([^|]+) \\| ([^|]+) \\| \\[[^]]*]\\(([^)]+)\\) \\|$", Pattern.MULTILINE);

  /// How far down a reader looks.
  private static final int LOOKED_AT = 5;

  /// What a browser shows of a page at once, in pixels.
  private static final int SCREEN = 900;

  @TempDir static Path folder;

  @BeforeAll
  static void writeSite() throws IOException {
    Site.read(Shared.root()).write(folder.resolve("the site"), null);
  }

  @Test
  void newUsersFindTheirAnswersNearTheTop() throws Exception {
    String page = Files.readString(Shared.root().resolve("docs/first-contact.md"));
    var questions = new ArrayList<String>();
    var answers = new ArrayList<String>();
    var readers = new ArrayList<String>();
    QUESTION
        .matcher(page.substring(page.indexOf("## Questions of new users")))
        .results()
        .forEach(
            found -> {
              readers.add(found.group(1));
              questions.add(found.group(2));
              answers.add(
                  Path.of("docs")
                      .resolve(found.group(3))
                      .normalize()
                      .toString()
                      .replace(".md", ".html"));
            });
    assertThat(readers.stream().collect(Collectors.groupingBy(each -> each, Collectors.counting())))
        .hasSize(4)
        .allSatisfy((_, count) -> assertThat(count).isEqualTo(10));

    List<String> found = search(questions);

    for (int i = 0; i < questions.size(); i++) {
      assertThat(found.get(i).split(" ", -1)).as(questions.get(i)).contains(answers.get(i));
    }
  }

  @Test
  void chineseQuestionsFindChinesePages() throws Exception {
    assertThat(search(List.of("冲击成本怎么设置", "拆单是什么", "夜盘属于哪个交易日", "怎样从 Qlib 迁移训练文件")))
        .satisfiesExactly(
            each -> assertThat(each).contains("docs/zh/how-to/costs.html"),
            each -> assertThat(each).contains("docs/zh/concepts/orders.html"),
            each -> assertThat(each).contains("docs/zh/concepts/session.html"),
            each -> assertThat(each).contains("docs/zh/from-qlib.html"));
  }

  /// No page is wider than the screen; wide tables and code scroll by themselves.
  @Test
  void pagesFitNarrowAndWideScreens() throws Exception {
    String pages;
    try (var files = Files.walk(folder.resolve("the site"))) {
      pages =
          files
              .map(each -> folder.resolve("the site").relativize(each).toString())
              .filter(each -> each.endsWith(".html") && !each.startsWith("source/"))
              .sorted()
              .map(each -> '"' + each + '"')
              .collect(Collectors.joining(","));
    }
    String script =
        """
        const out = document.getElementById('out'), wide = [];
        (async () => {
          for (const page of [%s]) for (const width of page === 'index.html' ? [360, 800, 1400] : [360]) {
            const frame = document.createElement('iframe');
            frame.style.cssText = 'border:0;height:600px;width:' + width + 'px';
            frame.src = page;
            document.body.append(frame);
            await new Promise(done => frame.onload = done);
            const seen = frame.contentDocument.documentElement.scrollWidth;
            if (seen > width) wide.push(page + ' at ' + width + ': ' + seen);
            frame.remove();
          }
          out.textContent = 'checked\\n' + wide.join('\\n');
        })();
        """
            .formatted(pages);

    assertThat(run(script)).containsExactly("checked");
  }

  /// Three screens of a laptop, and on the first one the pages for the usual questions.
  @ParameterizedTest
  @ValueSource(strings = {"index.html", "docs/zh/README.html"})
  void theReadmeFitsThreeScreens(String readme) throws Exception {
    List<String> seen =
        run(
            """
            const frame = document.createElement('iframe');
            frame.style.cssText = 'border:0;width:1440px;height:%dpx';
            frame.src = '%s';
            frame.onload = () => {
              const page = frame.contentDocument;
              const bottoms = what => [...page.querySelectorAll(what)].map(each => Math.round(each.getBoundingClientRect().bottom));
              const links = bottoms('main strong a');
              document.getElementById('out').textContent =
                [Math.max(...bottoms('main p, main table')), links.length, Math.max(...links)].join('\\n');
            };
            document.body.append(frame);
            """
                .formatted(SCREEN, readme));

    assertThat(Integer.parseInt(seen.get(0))).isLessThanOrEqualTo(3 * SCREEN);
    assertThat(Integer.parseInt(seen.get(1))).isEqualTo(6);
    assertThat(Integer.parseInt(seen.get(2))).isLessThan(SCREEN);
  }

  private static List<String> search(List<String> questions) throws Exception {
    String asked =
        questions.stream()
            .map(each -> '"' + each.replace("\"", "\\\"") + '"')
            .collect(Collectors.joining(","));
    return run(
        "document.getElementById('out').textContent = [%s].map(q => trancheSearch(q, %d).map(s => s[0]).join(' ')).join('\\n');"
            .formatted(asked, LOOKED_AT));
  }

  /// Runs a script in a page of the site and returns the lines it leaves in `out`.
  private static List<String> run(String script) throws Exception {
    Path page = folder.resolve("the site/test-page.html");
    Files.writeString(
        page,
        "<!doctype html><meta charset=\"utf-8\"><body><pre id=\"out\"></pre><script src=\"search-index.js\"></script>"
            + "<script src=\"search.js\"></script><script>%s</script></body>".formatted(script));
    Path out = folder.resolve("out.html");
    Process process =
        new ProcessBuilder(
                Browser.orSkip().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--allow-file-access-from-files",
                "--user-data-dir=" + folder.resolve("profile"),
                "--timeout=240000",
                "--virtual-time-budget=240000",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("err.txt").toFile())
            .start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    var text =
        Pattern.compile("<pre id=\"out\">(.*?)</pre>", Pattern.DOTALL)
            .matcher(Files.readString(out));
    assertThat(text.find()).isTrue();
    Files.delete(page);
    return text.group(1).lines().toList();
  }
}
