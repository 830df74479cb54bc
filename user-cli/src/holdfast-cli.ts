#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-code.ts';
import { program } from './program.ts';

// `holdfast-cli ls | head` ends when the reader does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program().parseAsync();
} catch (error) {
  // Commander has written its own.
  if (!(error instanceof CommanderError)) process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = exitCodeOf(error);
}
