import type { SampleLanguage } from '@holdfast/contract/src/api-docs/samples.ts';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Runner {
  readonly program: string;
  /** Arguments that make the program report that it is installed. */
  readonly probe: readonly string[];
  /** Name of the file that the sample is saved as; a shell receives the text directly. */
  readonly fileName?: string;
}

const runners: Readonly<Record<SampleLanguage, Runner>> = {
  curl: { program: 'sh', probe: ['-c', 'curl --version'] },
  javascript: { program: process.execPath, probe: ['--version'], fileName: 'sample.mjs' },
  python: { program: 'python3', probe: ['--version'], fileName: 'sample.py' },
  // A Java without its compiler cannot run a source file.
  java: { program: 'java', probe: ['--list-modules'], fileName: 'Sample.java' },
};

/** Returns why samples of a language cannot run here; undefined if they can. */
export async function whyNot(language: SampleLanguage): Promise<string | undefined> {
  const { program, probe } = runners[language];
  try {
    const { stdout } = await run(program, [...probe]);
    return language === 'java' && !stdout.includes('jdk.compiler') ? 'this Java has no compiler' : undefined;
  } catch {
    return `there is no ${language} on this machine`;
  }
}

/**
 * Runs a program as a reader would who saved it in `folder`. Rejects if it exits with an error.
 * @returns its output.
 */
export async function runSample(language: SampleLanguage, sample: string, folder: string): Promise<string> {
  const { program, fileName } = runners[language];
  const args = fileName === undefined ? ['-c', sample] : [fileName];
  if (fileName !== undefined) await writeFile(join(folder, fileName), sample);
  const { stdout } = await run(program, args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  return stdout;
}
