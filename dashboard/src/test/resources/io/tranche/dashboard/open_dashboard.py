"""Opens the dashboard in a real browser and checks what a reader sees against the files.

Arguments: the browser's program, axe-core, a folder for pictures, the dashboard's address, the folder of the runs, the token.
"""
import json
import os
import shutil
import sys
import time

from playwright.sync_api import sync_playwright

browser, axe, pictures, url, runs, token = sys.argv[1:]
PATIENCE = 300_000  # milliseconds; a machine may be busy
HOSTILE = "<img src=x onerror=alert(1)>"
said = []

SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({type: 'layout-shift', buffered: true});
}"""


def until(page, truth):
    """Waits. Not with wait_for_function, whose eval the page's policy refuses."""
    end = time.time() + 300
    while not page.evaluate(truth):
        if time.time() > end:
            raise SystemExit("never: " + truth)
        page.wait_for_timeout(50)


def check(truth, *what):
    if not truth:
        raise SystemExit("wrong: " + " ".join(map(str, what)))


def new_page(chromium, width, scheme="light", locale="en-US"):
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, locale=locale)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append("dialog " + dialog.message))
    page.add_init_script("(" + SHIFTS + ")()")
    return page


def go(page, place, ready):
    page.goto(url + "/#/" + place)
    page.wait_for_selector(ready)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def picture(page, name):
    page.screenshot(path=os.path.join(pictures, name + ".png"), full_page=True)


def settled(page, what):
    check(page.evaluate("window.shift") < 0.02, what, "moves:", page.evaluate("window.shift"))
    check(not page.evaluate("document.documentElement.scrollWidth > innerWidth"), what, "is too wide")
    check(page.locator("img[src='x']").count() == 0, what, "reads text as markup")
    check(said == [], what, "says", said)


def accessible(page, what):
    # Not as an element: the page's policy would refuse it.
    page.evaluate(open(axe, encoding="utf-8").read())
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    bad = [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")]
    check(not bad, what, "is hard to use:", bad)


def text(page, selector):
    return page.locator(selector).first.inner_text()


def last(run, metric):
    with open(os.path.join(runs, run, "metrics.jsonl"), encoding="utf-8") as file:
        return [json.loads(line)[metric] for line in file if metric in line][-1]


def shown(value, digits):
    return f"{value:.{digits}f}".replace("-", "\u2212")


def check_list(page):
    go(page, "runs", "tbody tr")
    rows = {row[1].split("\n")[0].removesuffix("ROLL"): row for row in page.evaluate(
        "() => [...document.querySelectorAll('tbody tr')].map(row => [...row.children].map(cell => cell.innerText))")}
    check(HOSTILE in rows and "alpha" in rows and "walk" in rows, "runs", list(rows))
    check(rows["alpha"][4] == "+" + shown(last("alpha", "val/pa"), 1), "validation", rows["alpha"])
    with open(os.path.join(runs, "alpha", "judge", "report.json"), encoding="utf-8") as file:
        together = json.load(file)["comparisons"][0]["together"]
    check(rows["alpha"][5].split("\n")[0] == "+" + shown(together["mean_bps"], 1), "over TWAP", rows["alpha"])
    check("config.yml" in rows["broken"][1] and "Cannot" not in rows["broken"][1], "a broken run", rows["broken"])
    page.fill("input[type=search]", "alp")
    check(page.locator("tbody tr").count() == 1, "the filter")
    page.fill("input[type=search]", "")


def check_run(page):
    go(page, "run/alpha", "figure canvas")
    check(text(page, "#verdict span") == "The agent is better than TWAP.", "verdict")
    check(page.locator("figure canvas").count() >= 8, "charts")
    caption = text(page, "figure.curve figcaption")
    check(shown(last("alpha", "pa"), 2) in caption and shown(last("alpha", "val/pa"), 2) in caption, "advantage", caption)
    # A line that another process writes arrives without a reload.
    page.evaluate("window.stays = true")
    heard = page.evaluate("document.documentElement.dataset.heard || '0'")
    until(page, "document.querySelector('.live.on') !== null")
    page.wait_for_timeout(1500)
    with open(os.path.join(runs, "alpha", "metrics.jsonl"), "a", encoding="utf-8") as file:
        file.write('{"iteration":41,"episode":41000,"reward":0.5,"pa":77.125,"ffr":0.998,"loss":1,"gradient_norm":0.4}\n')
    until(page, "document.querySelector('figure.curve figcaption').innerText.includes('77.1')")
    check(page.evaluate("window.stays === true"), "the page was loaded again")
    check(text(page, "#progress").startswith("iteration 41 of 80"), text(page, "#progress"))
    check(page.evaluate("document.documentElement.dataset.heard") != heard, "nothing was heard")
    settled(page, "run")


def check_compare(page):
    go(page, "compare?run=alpha&run=beta", "figure canvas")
    rows = page.evaluate("""() => [...document.querySelectorAll('section')].at(-1).querySelectorAll('tbody tr').length""")
    check(rows == 1, "differences of configuration", rows)  # the seed
    latest = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('section')].at(-2).querySelectorAll('tbody tr')
      .values().map(row => [...row.children].map(cell => cell.innerText)).map(([name, ...rest]) => [name, rest]))""")
    check(latest["val/ffr"] == ["1.00", "1.00"], latest)
    check(latest["val/pa"] == [shown(last(run, "val/pa"), 2) for run in ("alpha", "beta")], latest)
    check("mean of 2 seeds" in text(page, "figure.curve figcaption"), text(page, "figure.curve figcaption"))


def check_orders(page):
    go(page, "orders/alpha", "tbody tr")
    check(text(page, "#found") == "1\u201350 of 1,000", text(page, "#found"))
    nets = [float(each.replace("\u2212", "-")) for each in page.evaluate(
        "() => [...document.querySelectorAll('tbody tr')].map(row => row.children[9].innerText)")]
    check(nets == sorted(nets, reverse=True), "the order of orders", nets)
    page.click("#next")
    until(page, "document.getElementById('found')?.innerText.startsWith('51')")
    page.check("#field-recorded")
    until(page, "document.getElementById('found')?.innerText.endsWith('of 20')")
    go(page, "order/alpha/3", ".day canvas")
    check(page.locator(".day canvas").count() == 2, "two charts of the day")
    steps = page.evaluate("() => [...document.querySelectorAll('section')][1].querySelectorAll('tbody tr').length")
    check(steps == 4, "decisions", steps)
    check("10 %  20 %  70 %" in text(page, ".scores"), text(page, ".scores"))
    check("12.5" in page.locator(".heat").nth(1).inner_text(), "occlusion")
    go(page, "order/alpha/999", ".empty")
    check("--record all" in text(page, ".command"), "what is missing")


def check_service(page):
    go(page, "service", "#service section")
    facts = dict(page.evaluate("() => [...document.querySelectorAll('#service .facts > div')].map(each => [each.children[0].innerText, each.querySelector('b').innerText])"))
    check(facts["Decisions"] == "1,000" and facts["Fallbacks to TWAP"] == "100" and facts["Limits hit"] == "17" and facts["Open orders"] == "4", facts)
    page.click("#order-o-1")
    page.wait_for_selector("h3:has-text('Children')")
    body = page.locator("#service").inner_text()
    check("+10.0" in body, "the canary's advantage", body)
    check("<img src=x onerror=alert(4)>" in body, "the hostile order")


def check_changes(page):
    go(page, "run/alpha", "figure canvas")
    page.click(".key")
    page.fill("#token", token)
    page.keyboard.press("Enter")
    page.wait_for_selector(".key.held")
    page.wait_for_selector("figure canvas")
    page.get_by_role("button", name="Edit tags").click()
    page.fill("#tags", "good, " + HOSTILE)
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.title .tag').length === 2")
    with open(os.path.join(runs, "alpha", "tags.json"), encoding="utf-8") as file:
        check(json.load(file) == ["good", HOSTILE], "tags")


def cells(page, label):
    return page.evaluate("label => [...document.querySelectorAll(`table[aria-label='${label}'] tbody tr, [aria-label='${label}'] table tbody tr`)]"
                         ".map(row => [...row.children].map(cell => cell.innerText))", label)


def check_search(page):
    go(page, "run/hunt", "svg.parallel polyline")
    with open(os.path.join(runs, "hunt", "trials.jsonl"), encoding="utf-8") as file:
        trials = [json.loads(line) for line in file]
    check(page.locator("svg.parallel polyline").count() == len(trials), "lines of trials")
    rungs = {row[0]: row[1] for row in cells(page, "Rungs")}
    check(rungs == {str(end): str(sum(trial["iterations"] >= end for trial in trials)) for end in (2, 4)}, "rungs", rungs)
    best = max(trials, key=lambda trial: trial["points"][-1][1])
    check(cells(page, "Tuning")[0][:2] == [str(best["trial"]), shown(best["points"][-1][1], 2)], "the best trial", cells(page, "Tuning"))


def check_roll(page):
    go(page, "run/walk", "section canvas")
    with open(os.path.join(runs, "walk", "roll.csv"), encoding="utf-8") as file:
        windows = [line.strip().split(",") for line in file][1:]
    rows = cells(page, "Windows")
    check([row[0] for row in rows] == [window[0] for window in windows], "windows", rows)
    check(["+3.5", "\u22120.5"] == [row[3] for row in rows], "windows over TWAP", rows)


def check_health(page):
    go(page, "run/alpha", "figure canvas")
    page.get_by_role("button", name="Look for problems").click()
    until(page, "[...document.querySelectorAll('section')].find(each => each.querySelector('h2')?.innerText === 'Data health').querySelector('.problem, table, p.note') !== null")


def check_broken(page):
    go(page, "run/broken", ".problem")
    go(page, "run/half", ".problem")
    until(page, "document.querySelector('.problem')?.innerText.includes('metrics.jsonl')")  # no longer the page before
    go(page, "run/gone", "figure canvas")
    shutil.rmtree(os.path.join(runs, "gone"))
    until(page, "document.querySelector('.empty')?.innerText.includes('gone: expected a run, was nothing')")
    go(page, "run/nothing", ".empty")
    until(page, "document.querySelector('.empty')?.innerText.includes('nothing: expected a run, was nothing')")


def check_keyboard(page):
    go(page, "runs", "tbody tr")
    page.keyboard.press("Tab")
    check(page.evaluate("document.activeElement.className") == "skip", "the first stop of the keyboard")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('href')") == "#/run/alpha":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("figure canvas")
    check(page.evaluate("location.hash") == "#/run/alpha", "a run by keyboard")


PLACES = {"runs": ("runs", "tbody tr"), "run": ("run/alpha", "figure canvas"), "compare": ("compare?run=alpha&run=beta", "figure canvas"),
          "orders": ("orders/alpha", "tbody tr"), "order": ("order/alpha/3", ".day canvas"), "service": ("service", "#service section"),
          "roll": ("run/walk", "section canvas"), "search": ("run/hunt", "svg.parallel polyline"), "broken": ("run/broken", ".problem"), "empty": ("compare", ".empty")}

with sync_playwright() as playwright:
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]  # containers may have next to no /dev/shm
    chromium = playwright.chromium.launch(executable_path=browser, args=arguments, timeout=PATIENCE)
    page = new_page(chromium, 1400)
    check_list(page)
    check_run(page)
    check_compare(page)
    check_search(page)
    check_roll(page)
    check_health(page)
    check_orders(page)
    check_service(page)
    check_keyboard(new_page(chromium, 1400))
    check_changes(page)
    check_broken(page)
    said[:] = [each for each in said if "404" not in each]  # of the run that is not there
    for width, scheme in ((1400, "light"), (800, "dark"), (360, "light")):
        for name, (place, ready) in PLACES.items():
            page = new_page(chromium, width, scheme)
            go(page, place, ready)
            page.wait_for_timeout(100)
            settled(page, f"{name} at {width}")
            picture(page, f"{name}-{width}-{scheme}")
            if width == 1400 or name in ("run", "orders"):
                accessible(page, f"{name} at {width}")
            page.context.close()
    page = new_page(chromium, 1200)
    go(page, "run/demo", "figure canvas")
    until(page, "document.querySelector('.live.on') !== null")
    screenshot(page, ".grid figure:nth-of-type(4)", os.path.join(pictures, "dashboard.png"))  # that of docs/dashboard.md
    page = new_page(chromium, 1400, locale="zh-CN")
    go(page, "run/alpha", "figure canvas")
    check(page.evaluate("document.documentElement.lang") == "zh", "Chinese")
    check(page.locator("h2", has_text="结果").count() == 1, "Chinese words")
    page.click(".language")
    until(page, "document.documentElement.lang === 'en'")
    picture(page, "english")
    check(said == [], said)
    chromium.close()
print("all is well")
