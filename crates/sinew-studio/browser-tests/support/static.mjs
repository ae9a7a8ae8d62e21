// The page that `sinew studio --export` writes, on a host of static files. The program needs the engine for
// the browser: `cargo xtask browser` before the build.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { PROGRAM } from "./engine.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

export class StaticPage {
  static async start() {
    const page = new StaticPage();
    page.folder = await mkdtemp(join(tmpdir(), "sinew-page-"));
    await promisify(execFile)(PROGRAM, ["studio", "--export", page.folder]);
    page.server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url, "http://localhost");
      try {
        const file = await readFile(join(page.folder, pathname === "/" ? "index.html" : pathname));
        response.writeHead(200, { "Content-Type": TYPES[extname(pathname) || ".html"] ?? "text/plain" }).end(file);
      } catch {
        response.writeHead(404).end();
      }
    });
    page.server.listen(0, "127.0.0.1");
    await once(page.server, "listening");
    page.url = `http://127.0.0.1:${page.server.address().port}/`;
    return page;
  }

  async stop() {
    this.server.close();
    this.server.closeAllConnections();
    await rm(this.folder, { recursive: true });
  }
}
