"""Follows a run that goes on in another process, stops it and lets it go on, all on one page that is never loaded again.

Arguments: the browser's program, the dashboard's address, the run's folder, the dashboard's token, a picture to make.
"""
import json
import os
import re
import sys
import time

from playwright.sync_api import sync_playwright

browser, url, run, token, picture = sys.argv[1:]
said = []


def until(page, truth):
    """Waits. Not with wait_for_function, whose eval the page's policy refuses."""
    end = time.time() + 90
    while not page.evaluate(truth):
        if time.time() > end:
            raise SystemExit("never: " + truth + "\n" + page.inner_text("body"))
        page.wait_for_timeout(50)


def check(truth, *what):
    if not truth:
        raise SystemExit("wrong: " + " ".join(map(str, what)))


def iteration(page):
    return int(re.search(r"iteration ([\d,]+)", page.inner_text("#progress")).group(1).replace(",", ""))


def beyond(count):
    return f"Number((/[0-9][0-9,]*/.exec(document.getElementById('progress').innerText) ?? ['NaN'])[0].replaceAll(',', '')) > {count}"


def state(name):
    return f"document.getElementById('state').innerText.toUpperCase() === '{name}'"


def last():
    with open(os.path.join(run, "metrics.jsonl"), encoding="utf-8") as file:
        return json.loads(file.readlines()[-1])


def caption(title):
    return f"[...document.querySelectorAll('figure.curve')].find(each => each.querySelector('h3').innerText === '{title}').querySelector('figcaption').innerText"


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=300_000)
    page = chromium.new_page(viewport={"width": 1400, "height": 900}, locale="en-US")
    page.set_default_timeout(300_000)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(url)
    page.wait_for_selector("tbody tr")
    page.evaluate("window.stays = true")

    # The list follows it.
    listed = "Number(document.querySelector('tbody .n').firstChild.data.replaceAll(',', ''))"
    first = page.evaluate(listed)
    until(page, f"{listed} > {first}")
    page.click("tbody tr a")
    page.wait_for_selector("figure canvas")
    until(page, state("RUNNING"))

    # Curves grow.
    begin, drawn = iteration(page), page.evaluate("Number(document.documentElement.dataset.drawn)")
    until(page, beyond(begin + 2))
    until(page, f"Number(document.documentElement.dataset.drawn) > {drawn + 1}")

    # It stops when it is asked to, and the page shows what it left.
    page.click(".key")
    page.fill("#token", token)
    page.keyboard.press("Enter")
    page.wait_for_selector(".key.held")
    page.get_by_role("button", name="Stop after this iteration").click()
    until(page, state("STOPPED"))
    end = last()
    until(page, beyond(end["iteration"] - 1))
    check(iteration(page) == end["iteration"], iteration(page), end)
    number = f"Number((/[\u2212\\d.]+/.exec({caption('Advantage')}) ?? ['NaN'])[0].replace('\u2212', '-'))"
    until(page, f"Math.abs({number} - {end['pa']}) < 0.006")
    check(end["kl"] > 0 and page.evaluate(caption("KL divergence")), "KL divergence", end)
    health = "[...document.querySelectorAll('section')].find(each => each.querySelector('h2')?.innerText === 'Data health')"
    page.get_by_role("button", name="Look for problems").click()
    until(page, f"{health}.querySelector('table, p.note') !== null")
    check(not page.evaluate(f"{health}.querySelector('.problem') !== null"), "data health", page.inner_text("body"))
    page.screenshot(path=picture, full_page=True)

    # It goes on, in a process of its own.
    page.get_by_role("button", name="Resume").click()
    until(page, state("RUNNING"))
    until(page, beyond(end["iteration"] + 1))
    page.get_by_role("button", name="Stop after this iteration").click()
    until(page, state("STOPPED"))

    check(page.evaluate("window.stays === true"), "the page was loaded again")
    check(said == [], said)
    chromium.close()
print("all is well")
