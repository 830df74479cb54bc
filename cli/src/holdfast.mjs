#!/usr/bin/env -S node --
/** `holdfast`: starts the pinned Node with the settings of the server. Works under the machine's own older Node. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode, refuseFilesForNode, root } from '../../scripts/run.mjs';

const how = JSON.parse(readFileSync(join(root, 'server', 'process.json'), 'utf8'));
const entry = fileURLToPath(new URL('holdfast.ts', import.meta.url));
const env = { ...how.environment, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...process.env };
const args = process.argv.slice(2);

refuseFilesForNode(args);
const child = spawn(pinnedNode(), [...how.arguments, '--', entry, ...args], { env, stdio: 'inherit' });
// A terminal sends ctrl-C to the child as well. If it were forwarded it would count twice, and the second one means "at
// once".
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.once('close', (code) => (process.exitCode = code ?? 1));
