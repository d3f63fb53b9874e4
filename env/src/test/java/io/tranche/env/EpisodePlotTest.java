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
        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"168\"")
        .contains("a &lt; b &amp; c")
        .contains("d=\"M80.0 144.0L80.0 144.0M400.0 96.0L400.0 96.0L560.0 48.0\"")
        .endsWith("</svg>\n");
  }
}
