// The engine that the page talks to: the one at SINEW_STUDIO_URL, or one of our own (SINEW_BIN, or the release build).

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The program under test. */
export const PROGRAM =
  process.env.SINEW_BIN ?? fileURLToPath(new URL("../../../../target/release/sinew", import.meta.url));

export class Engine {
  /** An engine that somebody else runs cannot be stopped. */
  get isOwn() {
    return this.process !== undefined;
  }

  /** @param {string[]} files opened from the command line */
  static async start(...files) {
    const engine = new Engine();
    engine.url = process.env.SINEW_STUDIO_URL;
    if (!engine.url) await engine.launch("0", files);
    return engine;
  }

  async launch(port, files = []) {
    this.process = spawn(PROGRAM, ["studio", ...files, "--no-open", "--port", port], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.url = await new Promise((resolve, reject) => {
      let output = "";
      this.process.stderr.setEncoding("utf8").on("data", (text) => {
        output += text;
        const address = /http:\/\/[\d.:]+\/\?key=\w+/.exec(output);
        if (address) resolve(address[0]);
      });
      this.process.on("error", reject);
      this.process.on("exit", (code) => reject(new Error(`${PROGRAM} ended with ${code}: ${output}`)));
    });
  }

  async stop() {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, "exit");
    process.kill("SIGKILL");
    await gone;
  }

  /** Comes back at the same address. */
  async restart() {
    await this.stop();
    await this.launch(new URL(this.url).port);
  }
}
