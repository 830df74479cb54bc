import type { SampleLanguage } from '@holdfast/contract/src/api-samples.ts';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Runner {
  readonly program: string;
  /** What makes the program say that it is there. */
  readonly probe: readonly string[];
  /** What the sample is saved as; a shell gets it as it is. */
  readonly fileName?: string;
}

const runners: Readonly<Record<SampleLanguage, Runner>> = {
  curl: { program: 'sh', probe: ['-c', 'curl --version'] },
  javascript: { program: process.execPath, probe: ['--version'], fileName: 'sample.mjs' },
  python: { program: 'python3', probe: ['--version'], fileName: 'sample.py' },
  // A Java without its compiler cannot start a source file.
  java: { program: 'java', probe: ['--list-modules'], fileName: 'Sample.java' },
};

/** Why samples of a language cannot be run here; undefined where they can. */
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
 * Runs a program as a reader would who saved it in `folder`.
 * @returns what it printed. Rejects where it ends with an error.
 */
export async function runSample(language: SampleLanguage, sample: string, folder: string): Promise<string> {
  const { program, fileName } = runners[language];
  const args = fileName === undefined ? ['-c', sample] : [fileName];
  if (fileName !== undefined) await writeFile(join(folder, fileName), sample);
  const { stdout } = await run(program, args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  return stdout;
}
