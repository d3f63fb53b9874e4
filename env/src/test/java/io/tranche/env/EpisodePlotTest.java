package io.tranche.env;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EpisodePlotTest {

  @Test
  void textShowsGapsAndFlatSeries() {
    assertThat(
            new EpisodePlot("title")
                .with("a", 0, Double.NaN, 10)
                .with("longer", 3, 3)
                .with("none")
                .toText())
        .isEqualTo(
            """
            title
            a [0.000, 10.00]      ▁ █
            longer [3.000, 3.000] ▅▅▅
            none [0.000, 0.000]   \n\
            """);
  }

  @Test
  void svgIsSelfContainedAndEscapesNames() {
    String svg = new EpisodePlot("a < b & c").with("x", 1, Double.NaN, 2, 3).toSvg();

    assertThat(svg)
        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"168\"")
        .contains("a &lt; b &amp; c")
        .contains("d=\"M0.0 144.0H190.0M380.0 96.0H570.0V48.0H760.0\"")
        .endsWith("</svg>\n");
  }
}
