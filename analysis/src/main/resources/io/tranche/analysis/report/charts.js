
// Charts of the report page and of the dashboard.
const TrancheCharts = (() => {
  const FONT = '12px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';
  const MINUS = "\u2212";

  // Colours are the style sheet's, so that light, dark and paper need no second table.
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const lineColours = () => [1, 2, 3, 4, 5, 6].map(i => colour("line" + i));
  const dashes = [[], [6, 4], [2, 3], [8, 3, 2, 3], [12, 4], [4, 4]];

  const number = (value, digits) =>
    value == null ? "–" : value.toFixed(digits).replace("-", MINUS);
  const large = value => {
    const size = Math.abs(value);
    return size >= 1e9 ? number(value / 1e9, 1) + " bn"
      : size >= 1e6 ? number(value / 1e6, 1) + " m"
      : size >= 1e3 ? number(value / 1e3, 1) + " k"
      : number(value, 0);
  };
  // As few digits as tell the ticks of an axis apart.
  const ticks = (u, splits) => {
    const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : 1;
    let digits = 0;
    while (digits < 6 && Math.abs(step - Number(step.toFixed(digits))) > step * 1e-6) digits++;
    return splits.map(value => number(value, digits));
  };

  const axis = more => Object.assign({
    stroke: colour("muted"), font: FONT, labelFont: FONT, labelSize: 18, size: 28, gap: 6,
    grid: {stroke: colour("grid"), width: 1}, ticks: {show: false},
  }, more);

  const places = labels => axis({
    grid: {show: false},
    incrs: [1, 2, 5, 10, 15, 30, 60, 120, 240, 500, 1000, 5000],
    space: 70,
    values: (u, splits) => splits.map(at => labels[at] ?? ""),
  });

  const verticals = (u, marks) => {
    const {ctx, bbox} = u;
    ctx.save();
    for (const mark of marks) {
      const x = Math.round(u.valToPos(mark.at, "x", true));
      ctx.beginPath();
      ctx.strokeStyle = mark.stroke;
      ctx.lineWidth = (mark.width || 1) * devicePixelRatio;
      ctx.setLineDash((mark.dash || []).map(length => length * devicePixelRatio));
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };

  const pen = document.createElement("canvas").getContext("2d");
  const widthOf = text => {
    pen.font = FONT;
    return pen.measureText(text).width;
  };

  const wrap = (text, width) => {
    const lines = [];
    let line = "";
    for (const word of text.split(" ")) {
      const longer = line ? line + " " + word : word;
      if (line && widthOf(longer) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.push(line);
    return lines.map(each => {
      while (each.length > 4 && widthOf(each) > width) each = each.slice(0, -2) + "…";
      return each;
    });
  };

  function intervals(chart, target, width) {
    const room = Math.min(240, width * 0.38);
    const labels = chart.items.map(item => wrap(item.label, room));
    const labelWidth = Math.max(...labels.flat().map(widthOf)) + 14;
    const rows = Math.max(...labels.map(lines => lines.length));
    const count = labels.length;
    const values = [0, ...chart.items.flatMap(item => [item.mean, item.low, item.high])].filter(value => value != null);
    let low = Math.min(...values), high = Math.max(...values);
    const pad = (high - low || 1) * 0.06;
    low -= low < 0 ? pad : pad / 3;
    high += pad;
    const draw = u => {
      const {ctx} = u;
      const px = devicePixelRatio;
      verticals(u, [{at: 0, stroke: colour("ink"), width: 1}]);
      ctx.save();
      chart.items.forEach(({mean, low: from, high: to}, row) => {
        const shown = from != null && (from > 0 || to < 0);
        const sign = from == null ? colour("line1") : from > 0 ? colour("line1") : to < 0 ? colour("line2") : colour("muted");
        const y = u.valToPos(row, "y", true);
        const x = u.valToPos(mean, "x", true);
        ctx.strokeStyle = ctx.fillStyle = sign;
        ctx.lineWidth = 2 * px;
        if (from == null) { // no interval: a bar from zero
          const zero = u.valToPos(0, "x", true);
          ctx.fillRect(Math.min(zero, x), y - 6 * px, Math.max(px, Math.abs(x - zero)), 12 * px);
          return;
        }
        ctx.beginPath();
        for (const end of [from, to]) {
          const at = u.valToPos(end, "x", true);
          ctx.moveTo(x, y);
          ctx.lineTo(at, y);
          ctx.moveTo(at, y - 4 * px);
          ctx.lineTo(at, y + 4 * px);
        }
        ctx.stroke();
        ctx.beginPath();
        ctx.arc(x, y, 4.5 * px, 0, 2 * Math.PI);
        ctx.fillStyle = shown ? sign : colour("paper");
        ctx.fill();
        ctx.stroke();
      });
      ctx.restore();
    };
    return [new uPlot({
      width, height: count * Math.max(26, rows * 17 + 8) + 50,
      legend: {show: false}, cursor: {show: false}, padding: [4, 12, 0, 0],
      scales: {x: {time: false, range: [low, high]}, y: {range: [-0.5, count - 0.5], dir: -1}},
      series: [{}, {show: false}],
      axes: [
        axis({label: "bps", values: ticks, space: 60}),
        axis({size: labelWidth, gap: 8, stroke: colour("ink"), grid: {show: false},
          splits: () => labels.map((_, row) => row),
          values: () => labels.map(lines => lines.join("\n"))}),
      ],
      hooks: {draw: [draw]},
    }, [[low, high], [null, null]], target)];
  }

  function histogram(chart, target, width) {
    const last = chart.edges.length - 1;
    return [new uPlot({
      width, height: 260, legend: {show: false}, cursor: {show: false}, padding: [8, 12, 0, 0],
      scales: {x: {time: false, range: [chart.edges[0], chart.edges[last]]}, y: {range: (u, low, high) => [0, high * 1.05]}},
      series: [{}, {
        fill: colour("soft1"), stroke: colour("line1"), width: 1, points: {show: false},
        paths: uPlot.paths.bars({align: 1, size: [1, Infinity], gap: 1}),
      }],
      axes: [axis({label: "bps", values: ticks, space: 60}), axis({label: "orders", size: 56})],
      hooks: {draw: [u => verticals(u, [
        {at: 0, stroke: colour("ink")},
        ...(chart.mean == null ? [] : [{at: chart.mean, stroke: colour("line2"), width: 2, dash: [5, 4]}]),
      ])]},
    }, [chart.edges, [...chart.counts, null]], target)];
  }

  function lines(chart, target, width) {
    const colours = lineColours();
    const single = chart.labels.length < 2;
    const digits = chart.unit === "bps" ? 1 : 3;
    return [new uPlot({
      width, height: 280, padding: [8, 12, 0, 0],
      cursor: {drag: {x: false, y: false}, y: false},
      scales: {x: {time: false, range: [single ? -1 : 0, single ? 1 : chart.labels.length - 1]}},
      series: [
        {label: "at", value: (u, at) => at == null ? "" : chart.labels[at]},
        ...chart.lines.map((line, i) => ({
          label: line.name, stroke: colours[i % colours.length], width: 2,
          dash: dashes[i % dashes.length], spanGaps: true,
          points: {show: chart.labels.length < 40, size: 5, fill: colours[i % colours.length]},
          value: (u, value) => number(value, digits),
        })),
      ],
      axes: [places(chart.labels), axis({label: chart.unit, size: 56, values: ticks})],
      hooks: {drawAxes: [u => {
        const {ctx, bbox} = u;
        const y = Math.round(u.valToPos(0, "y", true));
        if (y < bbox.top || y > bbox.top + bbox.height) return;
        ctx.save();
        ctx.strokeStyle = colour("ink");
        ctx.lineWidth = devicePixelRatio;
        ctx.beginPath();
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
        ctx.stroke();
        ctx.restore();
      }]},
    }, [chart.labels.map((_, i) => i), ...chart.lines.map(line => line.values)], target)];
  }

  let orders = 0;

  function order(chart, target, width) {
    const index = chart.labels.map((_, i) => i);
    const others = chart.others || []; // what remained with other policies; the dashboard has them
    const x = {time: false, range: [0, Math.max(1, index.length - 1)]};
    const most = Math.max(...chart.filled.filter(amount => amount != null), 0);
    const sync = {key: "order" + ++orders};
    const shade = u => {
      const {ctx, bbox} = u;
      const from = u.valToPos(chart.from, "x", true);
      const to = u.valToPos(Math.max(chart.from, chart.to - 1), "x", true);
      ctx.save();
      ctx.fillStyle = colour("shade");
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
      ctx.restore();
    };
    const fills = u => {
      const {ctx} = u;
      ctx.save();
      ctx.fillStyle = colour("line2");
      ctx.globalAlpha = 0.75;
      chart.filled.forEach((amount, at) => {
        if (!(amount > 0)) return;
        ctx.beginPath();
        ctx.arc(u.valToPos(at, "x", true), u.valToPos(chart.fillPrices[at], "y", true),
          (1.5 + 4 * Math.sqrt(amount / most)) * devicePixelRatio, 0, 2 * Math.PI);
        ctx.fill();
      });
      ctx.restore();
    };
    const base = {
      width, padding: [8, 12, 0, 0],
      cursor: {sync, drag: {x: false, y: false}, y: false},
    };
    const at = {label: "at", value: (u, i) => i == null ? "" : chart.labels[i]};
    const price = new uPlot({
      ...base, height: 240,
      // Room below the price for the volume.
      scales: {x, y: {range: (u, low, high) => {
        const span = high - low || Math.abs(high) * 0.01 || 1;
        return [low - span * 0.35, high + span * 0.08];
      }}, v: {range: (u, low, high) => [0, (high || 1) * 4]}},
      series: [at,
        {label: "volume", scale: "v", fill: colour("bar"), stroke: colour("bar"), width: 0, points: {show: false},
          paths: uPlot.paths.bars({size: [0.8, 20]}), value: (u, value) => value == null ? "–" : large(value)},
        {label: "price", stroke: colour("line1"), width: 1.5, points: {show: false}, value: (u, value) => number(value, 3)},
        {label: chart.isBuy ? "bought" : "sold", stroke: colour("line2"), width: 0, points: {show: false}, scale: "filled",
          value: (u, value) => value == null ? "–" : large(value)},
      ],
      axes: [places(chart.labels), axis({label: "price", size: 60, values: ticks})],
      hooks: {drawClear: [shade], draw: [fills]},
    }, [index, chart.volumes, chart.prices, chart.filled], target);
    const position = new uPlot({
      ...base, height: 180,
      scales: {x, y: {range: (u, low, high) => [0, (high || 1) * 1.05]}},
      series: [at,
        {label: "remaining", stroke: colour("line1"), width: 2, points: {show: false},
          paths: uPlot.paths.stepped({align: 1}), value: (u, value) => value == null ? "–" : large(value)},
        {label: "TWAP", stroke: colour("muted"), width: 1.5, dash: [5, 4], points: {show: false},
          value: (u, value) => value == null ? "–" : large(value)},
        ...others.map((other, i) => ({label: other.name, stroke: colour("line" + (3 + i % 4)), width: 1.5, dash: dashes[2 + i % 4],
          points: {show: false}, value: (u, value) => value == null ? "–" : large(value)})),
      ],
      axes: [places(chart.labels),
        axis({label: "remaining", size: 60, values: (u, splits) => splits.map(large)})],
      hooks: {drawClear: [shade]},
    }, [index, chart.remaining, chart.twapRemaining, ...others.map(other => other.values)], target);
    return [price, position];
  }

  // As many digits as a setting needs, and no more.
  const short = value => value == null ? "–" : String(Number(value.toPrecision(4))).replace("-", MINUS);

  function curves(chart, target, width) {
    const colours = lineColours();
    // Those that stand out are drawn last, over the others.
    const sorted = chart.curves.filter(curve => !curve.standsOut).concat(chart.curves.filter(curve => curve.standsOut));
    let named = 0;
    const series = sorted.map(curve => {
      const place = curve.standsOut ? named++ : -1;
      const stroke = curve.standsOut ? colours[place % colours.length] : colour("muted");
      return {
        label: curve.name, stroke, width: curve.standsOut ? 2.5 : 1, alpha: curve.standsOut ? 1 : 0.45,
        dash: curve.standsOut ? dashes[place % dashes.length] : [], spanGaps: true,
        points: {show: curve.standsOut || curve.values.filter(value => value != null).length < 2, size: 5, fill: stroke},
        value: (u, value) => short(value),
      };
    });
    const single = chart.iterations.length < 2;
    const first = chart.iterations[0], last = chart.iterations[chart.iterations.length - 1];
    const plot = new uPlot({
      width, height: 320, padding: [8, 12, 0, 0],
      cursor: {drag: {x: false, y: false}, y: false},
      scales: {x: {time: false, range: single ? [first - 1, first + 1] : [first, last]}},
      series: [{label: "iteration", value: (u, at) => at == null ? "" : String(at)}, ...series],
      axes: [axis({label: "iteration", grid: {show: false}, space: 60, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000]}),
        axis({label: chart.unit, size: 64, values: ticks})],
    }, [chart.iterations, ...sorted.map(curve => curve.values)], target);
    // A legend of hundreds says nothing.
    target.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
      if (i > 0 && !sorted[i - 1].standsOut) row.style.display = "none";
    });
    return [plot];
  }

  function dots(chart, target, width) {
    const words = chart.words;
    const xs = chart.dots.map(dot => dot.x), ys = chart.dots.map(dot => dot.y);
    const low = Math.min(...xs), high = Math.max(...xs);
    const pad = (high - low || Math.abs(high) || 1) * 0.05;
    const factor = Math.pow(high / low || 1, 0.05) * (high > low ? 1 : 1.5);
    const x = words.length ? [-0.5, words.length - 0.5]
      : chart.isLogarithmic ? [low / factor, high * factor] : [low - pad, high + pad];
    const bottom = Math.min(...ys), top = Math.max(...ys);
    const room = (top - bottom || Math.abs(top) || 1) * 0.08;
    const draw = u => {
      const {ctx} = u;
      const px = devicePixelRatio;
      const colours = lineColours();
      ctx.save();
      ctx.lineWidth = 1.5 * px;
      let named = 0;
      for (const dot of [...chart.dots.filter(dot => !dot.standsOut), ...chart.dots.filter(dot => dot.standsOut)]) {
        const stroke = dot.standsOut ? colours[named++ % colours.length] : colour("muted");
        ctx.beginPath();
        ctx.arc(u.valToPos(dot.x, "x", true), u.valToPos(dot.y, "y", true), (dot.standsOut ? 6 : 4) * px, 0, 2 * Math.PI);
        ctx.strokeStyle = stroke;
        ctx.fillStyle = dot.isComplete ? stroke : colour("paper");
        ctx.fill();
        ctx.stroke();
      }
      ctx.restore();
    };
    return [new uPlot({
      width, height: 240, legend: {show: false}, cursor: {show: false}, padding: [8, 16, 0, 0],
      scales: {x: {time: false, range: x, distr: chart.isLogarithmic && !words.length ? 3 : 1}, y: {range: [bottom - room, top + room]}},
      series: [{}, {show: false}],
      axes: [
        words.length
          ? axis({label: chart.across, grid: {show: false}, splits: () => words.map((_, i) => i),
              values: () => words.map(word => word.length > 18 ? word.slice(0, 17) + "…" : word)})
          : axis({label: chart.across, space: 60, values: (u, splits) => splits.map(value => value == null ? "" : short(value))}),
        axis({label: chart.up, size: 64, values: ticks}),
      ],
      hooks: {draw: [draw]},
    }, [x, [null, null]], target)];
  }

  // By the names of the records of Chart.
  const kinds = {Intervals: intervals, Histogram: histogram, Lines: lines, OrderDay: order, Curves: curves, Dots: dots};
  const draw = (chart, target) =>
    kinds[chart.kind](chart, target, Math.max(240, Math.floor(target.clientWidth)));

  return {draw, colour, lineColours, dashes, number, large, short, ticks, axis, verticals};
})();
