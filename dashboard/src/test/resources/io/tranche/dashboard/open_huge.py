"""Measures how fast a run of 100,000 iterations and a million orders opens, and the memory of the server.

Arguments: the browser's program, axe-core, a folder for pictures, the dashboard's address, the number of the server's process.
"""
import os
import sys
import time

from playwright.sync_api import sync_playwright

browser, _, pictures, url, process = sys.argv[1:]


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


def memory():
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        return {line.split()[0]: int(line.split()[1]) // 1024 for line in file if line.startswith(("VmRSS", "VmHWM"))}


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=300_000)
    times = {}
    for name, place, ready in (("small", "run/small", "figure canvas"), ("runs", "runs", "tbody tr"), ("run", "run/huge", "figure canvas"), ("orders", "orders/huge", "tbody tr")):
        page = chromium.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(300_000)
        page.goto(url + "/#/" + place)
        page.wait_for_selector(ready)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000")
        full = page.evaluate("performance.now() / 1000")
        times[name] = (round(paint, 2), round(full, 2))
        if name == "run":
            until(page, "document.querySelector('.controls [role=status]').textContent === ''")
            page.screenshot(path=os.path.join(pictures, "huge.png"))
        if name == "orders":
            for sort in ("cost", "amount", "start", "participation", "advantage"):
                began = time.time()
                page.evaluate(f"location.hash = '/orders/huge?sort={sort}&down=1&side=BUY'")
                until(page, "document.getElementById('found')?.innerText.includes('500,000')")
                times[sort] = round(time.time() - began, 2)
        page.close()
    chromium.close()
now = memory()
print(times, now)
check(now["VmHWM:"] < 256, "memory", now, times)
for name, took in times.items():
    check(not isinstance(took, tuple) or took[0] < 1, name, "paints late", times, now)
print("all is well")
