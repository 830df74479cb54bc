/** The operator's command line. Exit codes: 0 fine, 1 failed or found something, 2 wrong usage. */
import { exitCodeOf, explain } from './explain.ts';
import { buildProgram } from './program.ts';
import { enterSettingsFolder } from './settings-folder.ts';

// Whoever reads the output may have had enough: `holdfast account list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  enterSettingsFolder();
  await buildProgram().parseAsync();
} catch (error) {
  const sentence = explain(error);
  if (sentence !== null) console.error(sentence);
  process.exitCode = exitCodeOf(error);
}
