/** The operator's command line. Exit codes: 0 fine, 1 failed or found something, 2 wrong usage, 3 a newer version. */
import { exitCodeOf, explain, handleOutputErrors } from './explain.ts';
import { buildProgram } from './program.ts';
import { enterProgramFolder } from './settings-folder.ts';

process.stdout.on('error', handleOutputErrors);

// Only the user of a command may read the files that it writes, even if the data folder is open to others.
process.umask(0o077);

try {
  enterProgramFolder();
  await buildProgram().parseAsync();
} catch (error) {
  const sentence = explain(error);
  if (sentence !== null) console.error(sentence);
  process.exitCode = exitCodeOf(error);
}
