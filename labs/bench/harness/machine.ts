import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { runProgram } from './children.ts';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly system: string;
  readonly node: string;
  readonly openssl: string;
  readonly curl: string;
}

/** Describes the machine that a figure comes from; even ratios from two machines must be compared with care. */
export async function describeMachine(): Promise<Machine> {
  const version = async (command: string, argument: string) =>
    (await runProgram(command, [argument])).output.split('\n')[0]?.split(' ').slice(0, 2).join(' ') ?? '';
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1e9),
    system: `Linux ${release()}`,
    node: process.version,
    openssl: await version('openssl', 'version'),
    curl: await version('curl', '--version'),
  };
}
