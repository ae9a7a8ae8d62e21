import assert from "node:assert/strict";
import { test } from "node:test";
import { studioForTests } from "./support/studio.mjs";

const studio = studioForTests();

/** A visit with every section open, a joint selected, curves to drag, a cage and a wipe: all controls there are. */
async function arrange() {
  const visit = await studio.visit();
  const { page } = visit;
  await visit.selectJoint("LeftForeArm");
  await page.getByRole("switch", { name: "Keep volume", exact: true }).check();
  await page.getByRole("button", { name: "Edit as curves" }).click();
  await visit.unfold("Cage");
  await visit.type(page.getByRole("spinbutton", { name: "Cage vertices" }), "200");
  await visit.type(page.getByRole("spinbutton", { name: "Offset" }), "2");
  await page.getByRole("button", { name: "Build the cage" }).click();
  await page.getByRole("radio", { name: "handles" }).check();
  await page.getByRole("button", { name: "Hold it here" }).click({ timeout: 90_000 });
  for (const summary of await page.locator("summary").all()) {
    if (!(await summary.evaluate((element) => element.parentElement.open))) await summary.click();
  }
  await page.getByRole("switch", { name: "Implicit skin", exact: true }).check();
  await page.getByRole("row", { name: /^LeftForeArm/ }).waitFor({ timeout: 90_000 });
  await page.getByRole("radio", { name: "wipe" }).check();
  await visit.picture();
  return visit;
}

/** The one visit of all tests here: none of them changes what is seen. */
let visiting;
const everythingInSight = () => (visiting ??= arrange());

const WORKED = /^(button|checkbox|combobox|link|radio|searchbox|slider|spinbutton|switch|textbox|treeitem)$/;

test("every control has a name for screen readers", async () => {
  const visit = await everythingInSight();
  const session = await visit.page.context().newCDPSession(visit.page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const controls = nodes.filter(({ ignored, role }) => !ignored && WORKED.test(role?.value));
  assert.ok(controls.length > 100, "there are controls");
  const nameless = controls.filter(({ name }) => !name?.value.trim()).map(({ role, value }) => [role.value, value?.value]);
  assert.deepEqual(nameless, []);
});

test("Tab goes around all of it, and shows where it is", async () => {
  const visit = await everythingInSight();
  const { page } = visit;
  const wanted = await page.evaluate(() => {
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
    const all = document.querySelectorAll("button, input, select, summary, [tabindex='0']");
    const stops = [...all].filter((element) => isSeen(element) && !element.matches(":disabled, [tabindex='-1'], [type=radio]"));
    stops.forEach((element) => element.setAttribute("data-not-reached", ""));
    return stops.length;
  });
  await page.evaluate(() => document.activeElement?.blur());
  for (let press = 0; press < wanted + 30; press++) {
    await page.keyboard.press("Tab");
    const unseen = await page.evaluate(() => {
      const focused = document.activeElement;
      focused.removeAttribute("data-not-reached");
      const ring = (element) => {
        const { outlineStyle, boxShadow, stroke } = getComputedStyle(element);
        return outlineStyle !== "none" || boxShadow !== "none" || (element.matches("circle.reach") && stroke !== "none");
      };
      const near = [focused, focused.parentElement, ...focused.querySelectorAll("*")];
      const drawn = near.some((element) => element && (ring(element) || getComputedStyle(element, "::after").outlineStyle !== "none"));
      return focused === document.body || drawn ? null : focused.outerHTML.slice(0, 120);
    });
    assert.equal(unseen, null, "the focus is not seen");
  }
  const missed = await page.locator("[data-not-reached]").evaluateAll((all) => all.map((element) => element.outerHTML.slice(0, 120)));
  assert.deepEqual(missed, []);
});

test("all text has a contrast of 4.5 to 1", async () => {
  const visit = await everythingInSight();
  const faint = await visit.page.evaluate(() => {
    const parse = (text) => {
      const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
      return text.startsWith("color(srgb") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((value, k) => a * value + (1 - a) * below[k]);
    const ground = (element) =>
      element ? over(parse(getComputedStyle(element).backgroundColor), ground(element.parentElement)) : [0, 0, 0];
    /** WCAG 2.2, relative luminance. */
    const luminance = (color) => {
      const [r, g, b] = color.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const opacity = (element) => (element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
    const isExempt = (element) => element.closest(":disabled, [aria-hidden=true], noscript, option") || !element.checkVisibility({ visibilityProperty: true });
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Map();
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent.trim();
      if (!text || isExempt(element)) continue;
      const style = getComputedStyle(element);
      const isDrawing = element instanceof SVGElement;
      const below = ground(element);
      const [r, g, b, a] = parse(isDrawing ? style.fill : style.color);
      const ink = over([r, g, b, a * opacity(element)], below);
      const [light, dark] = [luminance(ink), luminance(below)].sort((x, y) => y - x);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < 4.5) found.set(`${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`, `${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return Object.fromEntries(found);
  });
  assert.deepEqual(faint, {});
});

test("the page fits 1280 × 720", async () => {
  const visit = await everythingInSight();
  const { page } = visit;
  await visit.keepPage("everything in sight");
  const wide = await page.evaluate(() => {
    const isCut = (element) => element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);
    const root = document.scrollingElement;
    return {
      page: [root.scrollWidth, root.scrollHeight],
      scrolling: [...document.querySelectorAll("body *")].filter(isCut).map((element) => element.className || element.id || element.tagName),
    };
  });
  assert.deepEqual(wide, { page: [1280, 720], scrolling: [] });
  for (const [role, name] of [["complementary", "Joints"], ["complementary", "Settings"], ["main", "Character"], ["contentinfo", "Time"]]) {
    const { x, y, width, height } = await page.getByRole(role, { name }).boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 720 && width > 100 && height > 50, name);
  }
});

test("what lies outside its box in the right column is nothing", async () => {
  const visit = await everythingInSight();
  const outside = await visit.page.getByRole("complementary", { name: "Settings" }).evaluate((column) => {
    const { right, left } = column.getBoundingClientRect();
    const isOutside = (element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && (box.right > right + 1 || box.left < left - 1);
    };
    return [...column.querySelectorAll("button, input, select, p, output, svg")].filter(isOutside).map((element) => element.outerHTML.slice(0, 100));
  });
  assert.deepEqual(outside, []);
});

test("the keys are listed in a dialog that the keyboard opens and closes", async (t) => {
  const visit = await studio.visit(t);
  const { page } = visit;
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await page.keyboard.press("?");
  await dialog.getByText("Play or pause").waitFor();
  await visit.keepPage("help");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Help" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  visit.assertNoProblems();
});
