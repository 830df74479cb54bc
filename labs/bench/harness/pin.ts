import { readFile } from 'node:fs/promises';
import { runProgram } from './children.ts';

/** Lets a process, its threads and its children run on these cores only, such as `0` or `0,1`. */
export async function pin(pid: number, cores: string): Promise<void> {
  for (const each of [pid, ...(await childrenOf(pid))])
    await runProgram('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(each)]);
}

async function childrenOf(pid: number): Promise<number[]> {
  const found = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return found.split(' ').filter(Boolean).map(Number);
}
