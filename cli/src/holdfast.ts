/** The operator's command line. Exit codes: 0 fine, 1 failed or found something, 2 wrong usage. */
import { exitCodeOf, explain } from './explain.ts';
import { isReaderLeft } from './output.ts';
import { buildProgram } from './program.ts';
import { enterSettingsFolder } from './settings-folder.ts';

// A reader that has left ends a list and nothing else: see `Output`.
process.stdout.on('error', (error) => {
  if (!isReaderLeft(error)) throw error;
});

try {
  enterSettingsFolder();
  await buildProgram().parseAsync();
} catch (error) {
  const sentence = explain(error);
  if (sentence !== null) console.error(sentence);
  process.exitCode = exitCodeOf(error);
}
