/** The memory of another process, as the kernel counts it. */
import { readFile, writeFile } from 'node:fs/promises';

/** By how many megabytes the resident memory of a process grew at its highest while `work` ran. */
export async function memoryGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  // Writing 5 makes the kernel forget the highest value so far (proc(5)), so no sampling can miss a peak.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await statusOf(pid, 'VmRSS');
  await work();
  return (await statusOf(pid, 'VmHWM')) - before;
}

async function statusOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
