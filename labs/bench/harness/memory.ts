/** Memory of another process, as measured by the kernel. */
import { readFile, writeFile } from 'node:fs/promises';

/** Returns the peak growth in megabytes of a process's resident memory while `work` ran. */
export async function memoryGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  // Writing 5 resets the kernel's peak value (proc(5)), so no peak is missed, as sampling might.
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
