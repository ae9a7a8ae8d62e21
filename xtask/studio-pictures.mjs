#!/usr/bin/env node
// Makes the pictures of docs/studio.md again, in Chromium, with the program in target/release or SINEW.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = spawn(process.env.SINEW ?? `${root}target/release/sinew`, ["studio", "--no-open", "--port", "0"]);
const address = await new Promise((resolve) => {
  createInterface(program.stderr).on("line", (line) => {
    const found = /http:\S+/.exec(line);
    if (found) resolve(found[0]);
  });
});
const browser = await chromium.launch({
  executablePath: process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(address);
  await page.getByRole("button", { name: "Show me" }).click();
  await page.waitForFunction(() => window.sinew.frame?.surfaces.length === 2);
  await page.waitForTimeout(3000);
  await page.screenshot({ path: `${root}docs/images/studio.png` });

  await page.getByRole("switch", { name: "Keep volume", exact: true }).uncheck();
  for (const title of ["Skin", "Volume"]) await page.locator("summary", { hasText: new RegExp(`^${title}$`) }).click();
  await page.locator("summary", { hasText: /^Flesh$/ }).click();
  await page.evaluate(() => window.sinew.store.touch((doc) => ({ ...doc, selected: "LeftForeArm" })));
  await page.locator("#panel-flesh").getByRole("radio", { name: "interactive" }).check();
  await page.waitForFunction(() => window.sinew.frame?.flesh, null, { timeout: 120_000 });
  await page.waitForTimeout(3000);
  await page.screenshot({ path: `${root}docs/images/studio-flesh.png` });
} finally {
  await browser.close();
  program.kill();
}
