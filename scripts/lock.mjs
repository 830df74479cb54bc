import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './run.mjs';

const folder = join(root, '.cache', 'lock');

/** Runs `work` while no other command of this checkout installs or builds. The lock of a process that died is taken over. */
export async function exclusively(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  while (!take()) await delay(200);
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take() {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!holderLives()) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function holderLives() {
  try {
    // The holder's process id is still missing between creating the folder and writing the file.
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ENOENT' || error.code === 'EPERM';
  }
}
