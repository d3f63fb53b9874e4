
(() => {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  let drawn = [];

  function drawAll() {
    drawn.forEach(plot => plot.destroy());
    drawn = [];
    for (const target of document.querySelectorAll("[data-chart]")) {
      drawn.push(...TrancheCharts.draw(charts[Number(target.dataset.chart)], target));
    }
    document.documentElement.dataset.drawn = String(drawn.length);
  }

  let width = 0;
  const redrawIfWider = () => {
    const now = document.documentElement.clientWidth;
    if (now !== width) {
      width = now;
      drawAll();
    }
  };
  addEventListener("resize", () => requestAnimationFrame(redrawIfWider));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.paper = "";
    document.querySelectorAll("details").forEach(each => { each.open = true; });
    drawAll();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.paper;
    drawAll();
  });
  redrawIfWider();
})();
