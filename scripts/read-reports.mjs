/** Reads the JSON reports of Vitest and Playwright. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './run.mjs';

/** Returns the files and counts of Vitest's report at `path`, or undefined if there is no report. */
export function readServerReport(path) {
  const report = readJson(path);
  return (
    report && {
      succeeded: report.success === true,
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      files: report.testResults.map(({ name, startTime, endTime }) => ({
        path: relative(root, name),
        seconds: (endTime - startTime) / 1000,
      })),
      seeds: report.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.flatMap(({ fullName, failureMessages }) =>
          seedsIn(failureMessages).map((seed) => `${seed}  ${relative(root, name)}: ${fullName}`),
        ),
      ),
    }
  );
}

/** Returns the files and counts of Playwright's report at `path`, or undefined if there is no report. */
export function readBrowserReport(path) {
  const report = readJson(path);
  return (
    report && {
      succeeded: report.stats.unexpected === 0,
      passed: report.stats.expected,
      failed: report.stats.unexpected,
      files: report.suites.map((suite) => ({ path: `e2e/${suite.file}`, seconds: secondsOf(suite) })),
      seeds: [],
    }
  );
}

/** The message of fast-check names the seed, with which the same case is drawn again. */
const seedsIn = (messages) => messages.flatMap((message) => /\{ seed: (-?\d+),/.exec(message)?.[1] ?? []);

function secondsOf({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration / 1000, 0);
  return suites.reduce((sum, suite) => sum + secondsOf(suite), own);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
