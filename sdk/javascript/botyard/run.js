/**
 * Runs a bot beside the kit: `node sdk/javascript/botyard BOT.mjs [ARGUMENTS]`.
 *
 * The command names the directory of the kit, so a contained bot may read it. Nothing has to be installed.
 */

import path from "node:path";
import { pathToFileURL } from "node:url";

if (process.argv.length < 3 || ["-h", "--help"].includes(process.argv[2])) {
  process.stderr.write("usage: node PATH/TO/botyard BOT.mjs [ARGUMENTS]\n");
  process.exit(process.argv.length < 3 ? 2 : 0);
}
process.argv.splice(1, 1);
process.argv[1] = path.resolve(process.argv[1]);
await import(pathToFileURL(process.argv[1]).href);
