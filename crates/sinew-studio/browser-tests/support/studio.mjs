// A person at the studio: a Chromium with the page open, found by what is written on it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { parse } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { Engine } from "./engine.mjs";
import { keepPicture } from "./files.mjs";

const ARGUMENTS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const SIZE = { width: 1280, height: 720 };
/** A picture in software takes up to a second when the machine is busy. */
const PATIENCE_MS = 20_000;

/** An engine, or a page that needs none, and a browser for the tests of one file. */
export function studioForTests(start = () => Engine.start()) {
  const host = { engine: undefined, browser: undefined };
  before(async () => {
    [host.engine, host.browser] = await Promise.all([
      start(),
      chromium.launch({ executablePath: process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS }),
    ]);
  });
  after(async () => {
    await host.browser?.close();
    await host.engine?.stop();
  });
  return {
    get engine() {
      return host.engine;
    },
    /** A visit of somebody who was never here, or of the `context` of an earlier one. */
    visit: async (t, { hash = "", context } = {}) => {
      const own = context ?? (await host.browser.newContext({ viewport: SIZE, acceptDownloads: true }));
      own.setDefaultTimeout(PATIENCE_MS);
      const visit = new Visit(await own.newPage());
      t?.after(() => (context ? visit.page.close() : own.close()));
      await visit.page.goto(host.engine.url + hash);
      await visit.ready();
      return visit;
    },
  };
}

/** Repeats a check until it is true; fails with its name if it never is. */
export async function eventually(what, check, patience = PATIENCE_MS) {
  const until = Date.now() + patience;
  for (;;) {
    const answer = await check();
    if (answer) return answer;
    if (Date.now() > until) assert.fail(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

export class Visit {
  constructor(page) {
    this.page = page;
    /** What the browser complained about. */
    this.problems = [];
    page.on("console", (message) => message.type() === "error" && this.problems.push(message.text()));
    page.on("pageerror", (error) => this.problems.push(String(error)));
    page.on("response", (response) => response.status() >= 400 && this.problems.push(response.url()));
    page.on("requestfailed", (request) => {
      // A download is a navigation that the browser ends by itself.
      const { errorText } = request.failure();
      if (errorText !== "net::ERR_ABORTED") this.problems.push(`${request.url()}: ${errorText}`);
    });
  }

  /** The joints are listed and a frame was shown. */
  async ready() {
    await this.page.getByRole("treeitem").first().waitFor();
    await eventually("the first frame", async () => /\d/.test(await this.readout("Time per frame")));
  }

  closeHint() {
    return this.page.getByRole("button", { name: "Close the hint" }).click();
  }

  view() {
    return this.page.getByRole("main", { name: "Character" });
  }

  /** A volume of the read-out in %, or what is written there. */
  readout(name) {
    return this.page.getByRole("status", { name, exact: true }).innerText();
  }

  async percent(name) {
    return Number.parseFloat(await this.readout(name));
  }

  /** Opens a section of the right column. */
  async unfold(title) {
    const summary = this.page.locator("summary", { hasText: new RegExp(`^${title}$`) });
    const isOpen = await summary.evaluate((element) => element.parentElement.open);
    if (!isOpen) await summary.click();
  }

  /** @param {string[]} paths */
  async open(...paths) {
    const chosen = this.page.waitForEvent("filechooser");
    await this.page.getByRole("button", { name: "Open…" }).first().click();
    await (await chosen).setFiles(paths);
  }

  /** Opens a character and waits until its name stands in the bar. */
  async openCharacter(path) {
    await this.open(path);
    await this.page.getByTitle("The character that is open").filter({ hasText: parse(path).name }).waitFor();
    await this.ready();
  }

  /** A fact of the section "Character". */
  fact(term) {
    return this.page.locator("dt", { hasText: term }).locator("+ dd").innerText();
  }

  /** Messages in sight, of a kind or of all. */
  messages() {
    return this.page.locator("#notices").getByRole("paragraph").allInnerTexts();
  }

  /** Presses a button and gives what is downloaded. */
  async download(button) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), button.click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  /** Watches for a progress bar; the returned function is true if one was visible since, however briefly. */
  async watchProgress(name) {
    const watch = await this.page.evaluateHandle((label) => {
      const watch = { seen: false };
      const look = () => {
        const bar = document.querySelector(`progress[aria-label="${label}"]`);
        watch.seen ||= bar?.checkVisibility() ?? false;
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
      return watch;
    }, name);
    return () => watch.evaluate(({ seen }) => seen);
  }

  /** Selects a joint by keyboard alone, from the box above the tree. */
  async selectJoint(name) {
    await this.page.getByRole("searchbox", { name: "Find a joint" }).focus();
    await this.page.keyboard.press("Tab");
    await this.page.keyboard.type(name);
    await this.page.keyboard.press("Enter");
    await this.page.getByRole("heading", { name, exact: true }).waitFor();
  }

  /** Types into a field and leaves it by Enter. */
  async type(field, text) {
    await field.fill(text);
    await field.press("Enter");
  }

  /** The picture once it stands still. */
  async picture(name) {
    let last = await this.view().screenshot();
    const still = await eventually("a picture that stands still", async () => {
      const next = await this.view().screenshot();
      const same = next.equals(last);
      last = next;
      return same && next;
    });
    if (name) await keepPicture(name, still);
    return still;
  }

  /** Keeps a picture of the whole page as it is now. */
  async keepPage(name) {
    await keepPicture(name, await this.page.screenshot());
  }

  assertNoProblems() {
    assert.deepEqual(this.problems, []);
  }
}
