/** Draws the icons and screenshots of the demo's apps into `demo/pictures`: `npm run pictures:demo`. */
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { chromium } from "@playwright/test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import sharp from "sharp";
import { launchOptions } from "../browser/find-chromium.mjs";
import { DEMO_PICTURES, type Screen } from "./demo-pictures";
import { IconPicture, ScreenPicture, STYLES } from "./picture";

const ROOT = path.join(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "demo/pictures");
const FONT = "node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";
const SIZES = { icon: { width: 256, height: 256 }, screenshot: { width: 1280, height: 800 } };

const font = (await readFile(path.join(ROOT, FONT))).toString("base64");
const browser = await chromium.launch(launchOptions());
const page = await browser.newPage();
for (const [appName, { icon, hue, screens }] of Object.entries(DEMO_PICTURES)) {
  await mkdir(path.join(FOLDER, appName), { recursive: true });
  await draw(`${appName}/icon`, SIZES.icon, <IconPicture icon={icon} hue={hue} />);
  for (const [index, screen] of screens.entries()) await drawScreen(`${appName}/${index + 1}`, screen, hue);
}
await browser.close();

function drawScreen(file: string, screen: Screen, hue: number): Promise<void> {
  return draw(file, SIZES.screenshot, <ScreenPicture screen={screen} hue={hue} />);
}

async function draw(
  file: string,
  size: { width: number; height: number },
  picture: ReactElement,
): Promise<void> {
  await page.setViewportSize(size);
  const face = `@font-face { font-family: Geist; font-weight: 100 900; src: url(data:font/woff2;base64,${font}); }`;
  await page.setContent(`<!doctype html><style>${face}${STYLES}</style>${renderToStaticMarkup(picture)}`);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ omitBackground: true });
  await sharp(png)
    .webp({ quality: 78, effort: 6 })
    .toFile(path.join(FOLDER, `${file}.webp`));
}
