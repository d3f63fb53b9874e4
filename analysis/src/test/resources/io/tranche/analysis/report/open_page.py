"""Opens a report in a real browser and checks what a reader would see against report.json.

Arguments: the browser's program, the folder, the page's file name; to make a picture instead, where it ends.
"""
import json
import os
import pathlib
import statistics
import sys

from playwright.sync_api import sync_playwright

browser, folder, name = sys.argv[1:4]
page_url = pathlib.Path(os.path.abspath(folder), name).as_uri()  # encoded, as the browser reports it

# A machine may be busy, and start a browser from a slow disk.
PATIENCE = 300_000  # milliseconds

# Counts the colours of each canvas: a blank one has a single colour.
COLOURS = """() => [...document.querySelectorAll('canvas')].map(canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  let painted = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 0) {
      painted++;
      seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    }
  }
  return {colours: seen.size, painted};
})"""

TABLES = """() => Object.fromEntries([...document.querySelectorAll('section')].map(section => [section.id,
  [...section.querySelectorAll('.scroll > table')].map(table =>
    [...table.querySelectorAll('tbody tr')].map(row => [...row.children].map(cell => cell.textContent)))]))"""


def check(truth, *what):
    if not truth:
        raise SystemExit("wrong: " + " ".join(map(str, what)))


def value(text):
    """The number of a cell, without its unit."""
    return float(text.replace("\u2212", "-").replace("\u00a0", " ").replace(",", "").split(" ")[0].rstrip("%"))


def near(text, number, digits=1):
    check(abs(value(text) - number) <= 0.5000001 * 10 ** -digits, text, "is not", number)


def open_page(chromium, width, scheme):
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append("dialog " + dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_url)
    page.wait_for_function("document.documentElement.dataset.drawn !== undefined")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    check(said == [], scheme, "console:", said)
    check(asked == [page_url], "network:", asked)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    check(not wide, width, "pixels are not enough")
    return page


def check_charts(page):
    wanted = page.evaluate("JSON.parse(document.getElementById('charts').textContent).map(chart => chart.kind)")
    plots = sum(2 if kind == "OrderDay" else 1 for kind in wanted)
    drawn = page.evaluate(COLOURS)
    check(len(drawn) == plots > 0, len(drawn), "canvases for", plots, "plots")
    for place, canvas in enumerate(drawn):
        check(canvas["colours"] > 3 and canvas["painted"] > 500, "canvas", place, "is blank:", canvas)
    return set(wanted)


def check_numbers(page, data):
    tables = page.evaluate(TABLES)
    check(page.inner_text("h1") == data["title"], "title")
    check(page.inner_text("#verdict span") == data["verdict"]["sentence"], "verdict")

    rows = tables["advantage"][0]
    check(len(rows) == len(data["comparisons"]), "references")
    for row, comparison in zip(rows, data["comparisons"]):
        check(row[0] == comparison["reference"], row)
        parts = [comparison["together"], comparison["sides"]["buy"], comparison["sides"]["sell"]]
        for at, part in zip((1, 3, 5), parts):
            near(row[at], part["mean_bps"])
            for shown, end in zip(row[at + 1].split(" to "), (part["low"], part["high"])):
                near(shown, end)
        check(value(row[7]) == comparison["together"]["orders"], row)

    orders = data["orders"]
    advantages = sorted(order["advantage_bps"] for order in orders)
    summary = {row[0]: row[1] for row in tables["distribution"][0]}
    near(summary["Mean"], statistics.fmean(advantages))
    near(summary["Standard deviation"], statistics.stdev(advantages))
    near(summary["Median"], statistics.median(advantages))
    near(summary["Worst order"], advantages[0])
    near(summary["Best order"], advantages[-1])

    def check_groups(table, key):
        groups = {}
        for order in orders:
            groups.setdefault(key(order), []).append(order)
        check({row[0] for row in table} == set(groups), table, "is not of", set(groups))
        for row in table:
            members = groups[row[0]]
            near(row[1], statistics.fmean(each["advantage_bps"] for each in members))
            check(value(row[3]) == len(members), row)
            near(row[4], 100 * statistics.fmean(each["fill_rate"] for each in members))

    groups = list(tables["groups"])
    check_groups(groups.pop(0), lambda order: {"buy": "Buys", "sell": "Sells"}[order["side"]])
    check_groups(groups.pop(), lambda order: order["instrument"])
    if len({order["start"][11:13] for order in orders}) > 1:  # one hour is no table
        check_groups(groups.pop(0), lambda order: order["start"][11:13] + ":00")
    check(len(groups) == 2, "sizes and liquidity", len(groups))
    for quarters in groups:
        check(sum(value(row[3]) for row in quarters) == len(orders), quarters)

    near(tables["fills"][0][0][2], 100 * statistics.fmean(order["fill_rate"] for order in orders))

    days = {}
    for order in orders:
        days.setdefault(order["start"][:10], []).append(order["advantage_bps"])
    near(tables["cumulative"][0][-1][4], sum(map(statistics.fmean, days.values())))

    for row, cost in zip(tables["costs"][0], data["costs"]):
        near(row[1], cost["bps"])
    near(tables["costs"][0][-1][1], sum(cost["bps"] for cost in data["costs"]))
    for row, checkpoint in zip(tables["checkpoints"][0], data["checkpoints"]):
        near(row[1], checkpoint["over_twap"]["mean_bps"])
    last = data["training"][-1]
    near(tables["training"][0][-1][2], last["training_bps"])
    near(tables["training"][0][-1][4], last["training_bps"] - last["validation_bps"])
    for table, example in zip(tables["examples"], data["examples"]):
        facts = {row[0]: row[1] for row in table}
        near(facts["Advantage, bps"], example["advantage_bps"])
        traded = sum(fill["amount"] for fill in example["fills"])
        near(facts["Filled"], 100 * traded / example["amount"])
        paid = sum(fill["amount"] * fill["price"] for fill in example["fills"]) / traded
        near(facts["Mean fill price"], paid, 4)
    check(page.locator("#warnings li").all_inner_texts() == data["warnings"], "warnings")
    page.locator("summary").click()
    check(page.locator("pre").text_content() == data["config"], "config")
    check(data["commit"] in page.inner_text("#provenance"), "commit")


with sync_playwright() as playwright:
    # Containers may have next to no /dev/shm.
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    chromium = playwright.chromium.launch(executable_path=browser, args=arguments, timeout=PATIENCE)
    light = open_page(chromium, 1200, "light")
    kinds = check_charts(light)
    scripts = light.evaluate("document.scripts.length")
    check(scripts == 2, scripts, "scripts")
    policy = light.evaluate("""() => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      return window.injected === undefined;
    }""")
    check(policy, "the policy lets other scripts run")
    source = os.path.join(folder, "report.json")
    if len(sys.argv) > 4:
        screenshot(open_page(chromium, 1100, "light"), sys.argv[4], os.path.join(folder, "report.png"))
    elif os.path.exists(source):
        check(kinds == {"Intervals", "Histogram", "Lines", "OrderDay"}, kinds)
        with open(source, encoding="utf-8") as file:
            check_numbers(light, json.load(file))
        check_charts(open_page(chromium, 1200, "dark"))
        check_charts(open_page(chromium, 390, "light"))
        check(len(light.pdf()) > 20_000, "paper is blank")
    chromium.close()
print("all is well")
