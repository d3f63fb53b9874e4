package io.tranche.analysis.report;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Charts as the page's script reads them.
final class ChartJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ChartJson() {}

  /// Returns a JSON list that may stand inside a script element: no text of it can end one.
  static String of(List<Chart> charts) {
    ArrayNode array = JSON.createArrayNode();
    for (Chart chart : charts) {
      ObjectNode json = array.addObject();
      switch (chart) {
        case Chart.Intervals intervals -> write(json, intervals);
        case Chart.Histogram histogram -> write(json, histogram);
        case Chart.Lines lines -> write(json, lines);
        case Chart.OrderDay day -> write(json, day);
        case Chart.Curves curves -> write(json, curves);
        case Chart.Dots dots -> write(json, dots);
      }
    }
    return JSON.writeValueAsString(array)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026");
  }

  private static void write(ObjectNode json, Chart.Intervals chart) {
    json.put("kind", "intervals").put("unit", chart.unit());
    texts(json.putArray("labels"), chart.items().stream().map(Chart.Item::label).toList());
    numbers(json.putArray("means"), chart.items().stream().map(Chart.Item::mean).toList());
    numbers(json.putArray("lows"), chart.items().stream().map(Chart.Item::low).toList());
    numbers(json.putArray("highs"), chart.items().stream().map(Chart.Item::high).toList());
  }

  private static void write(ObjectNode json, Chart.Histogram chart) {
    json.put("kind", "histogram").put("unit", chart.unit());
    if (Double.isFinite(chart.mean())) {
      json.put("mean", chart.mean());
    }
    numbers(json.putArray("edges"), chart.edges());
    ArrayNode counts = json.putArray("counts");
    chart.counts().forEach(counts::add);
  }

  private static void write(ObjectNode json, Chart.Lines chart) {
    json.put("kind", "lines").put("unit", chart.unit());
    texts(json.putArray("labels"), chart.labels());
    ArrayNode lines = json.putArray("lines");
    for (Chart.Line line : chart.lines()) {
      ObjectNode node = lines.addObject();
      node.put("name", line.name());
      numbers(node.putArray("values"), line.values());
    }
  }

  private static void write(ObjectNode json, Chart.OrderDay chart) {
    json.put("kind", "order").put("buy", chart.isBuy());
    json.put("from", chart.from()).put("to", chart.to());
    texts(json.putArray("labels"), chart.labels());
    numbers(json.putArray("prices"), chart.prices());
    numbers(json.putArray("volumes"), chart.volumes());
    numbers(json.putArray("filled"), chart.filled());
    numbers(json.putArray("fillPrices"), chart.fillPrices());
    numbers(json.putArray("remaining"), chart.remaining());
    numbers(json.putArray("twapRemaining"), chart.twapRemaining());
  }

  private static void write(ObjectNode json, Chart.Curves chart) {
    json.put("kind", "curves").put("unit", chart.unit());
    ArrayNode iterations = json.putArray("iterations");
    chart.iterations().forEach(iterations::add);
    ArrayNode curves = json.putArray("curves");
    for (Chart.Curve curve : chart.curves()) {
      ObjectNode node = curves.addObject();
      node.put("name", curve.name()).put("out", curve.standsOut());
      numbers(node.putArray("values"), curve.values());
    }
  }

  private static void write(ObjectNode json, Chart.Dots chart) {
    json.put("kind", "dots").put("across", chart.across()).put("up", chart.up());
    json.put("log", chart.isLogarithmic());
    texts(json.putArray("words"), chart.words());
    ArrayNode dots = json.putArray("dots");
    for (Chart.Dot dot : chart.dots()) {
      ObjectNode node = dots.addObject();
      node.put("name", dot.name()).put("complete", dot.isComplete()).put("out", dot.standsOut());
      node.put("x", dot.x()).put("y", dot.y());
    }
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  private static void numbers(ArrayNode array, List<Double> numbers) {
    for (double number : numbers) {
      if (Double.isFinite(number)) {
        array.add(number);
      } else {
        array.addNull(); // also a sum of absurd numbers, which JSON cannot hold
      }
    }
  }
}
