import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@holdfast/test-support/open-browser.ts';
import { percentile } from '../harness/percentile.ts';
import type { Line } from '../harness/row.ts';
import { type FeltInput, feltInputs } from './felt-inputs.ts';
import type { Hand } from './hand.ts';
import type { InputLog, LongTask } from './watch-inputs.ts';

export interface Action {
  readonly what: string;
  /** Number and rate of the inputs. */
  readonly moved: string;
  /** Null if the figure only helps to interpret the others. */
  readonly goal?: Line['goal'];
  /** Sends the inputs. Anything it does between them without the hand is not measured. */
  readonly run: () => Promise<void>;
  /** Throws unless the page did what the inputs asked for; returns what was checked. */
  readonly check: () => Promise<string>;
}

/** With fewer inputs there is no 95th percentile. */
const fewest = 20;

/** Runs the action and returns its line: how long its inputs waited, and the time until the page had painted. */
export async function measureInputs(page: Page, hand: Hand, action: Action): Promise<Line> {
  const { what, moved, goal = { atMost: 50 }, run, check } = action;
  await forget(page);
  await run();
  await hand.rest();
  const log = await readWhenAtRest(page);
  const inputs = feltInputs(log);
  if (inputs.length < fewest) throw new Error(`${what}: ${inputs.length} inputs arrived, and ${fewest} are needed`);
  const delays = inputs.map((input) => input.delay);
  const durations = inputs.map((input) => input.duration);
  const tasks = tasksFelt(log.longTasks, inputs);
  return {
    what,
    moved: `${inputs.length} inputs: ${moved}`,
    ours: `input delay ${summary(delays)} ms`,
    against: '–',
    value: percentile(delays, 95),
    unit: 'ms',
    spread: `to the next paint ${summary(durations)} ms; ${tasks.length} long tasks, longest ${Math.max(0, ...tasks).toFixed(0)} ms`,
    goal,
    checked: await check(),
    samples: { delay: delays, untilPaint: durations, longTasks: tasks },
  };
}

/** Returns the tasks during which an input arrived or that followed one, not those that only prepare the next input. */
const tasksFelt = (tasks: readonly LongTask[], inputs: readonly FeltInput[]): readonly number[] =>
  tasks
    .filter((task) => inputs.some(({ at }) => at > task.at - 100 && at < task.at + task.duration))
    .map(({ duration }) => duration);

const summary = (values: readonly number[]): string =>
  `p50 ${percentile(values, 50).toFixed(1)}, p95 ${percentile(values, 95).toFixed(1)}, max ${Math.max(...values).toFixed(1)}`;

type Watched = Window & { readonly inputLog: InputLog };

async function forget(page: Page): Promise<void> {
  await readWhenAtRest(page);
  await page.evaluate(() => {
    const { heard, painted, longTasks } = (window as unknown as Watched).inputLog;
    for (const list of [heard, painted, longTasks]) list.length = 0;
  });
}

/** The browser delivers an input's entry after the paint that it waited for. */
async function readWhenAtRest(page: Page): Promise<InputLog> {
  for (let before = -1; ;) {
    await delay(300);
    const log = await page.evaluate(
      () =>
        new Promise<InputLog>((resolve) => {
          requestAnimationFrame(() => setTimeout(() => resolve((window as unknown as Watched).inputLog), 0));
        }),
    );
    const seen = log.heard.length + log.painted.length;
    if (seen === before) return log;
    before = seen;
  }
}
