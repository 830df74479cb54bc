import { expect, test } from 'vitest';
import { days, hours, minutes, withSteadyTime } from './clock.ts';

function openClock() {
  let now = days(1000);
  let elapsed = 0;
  const clock = withSteadyTime({ now: () => now, elapsed: () => elapsed });
  return {
    clock,
    run: (ms: number) => {
      now += ms;
      elapsed += ms;
    },
    jump: (ms: number) => {
      now += ms;
    },
    /** How far the steady time is behind the clock. */
    behind: () => now - clock.steadyNow(),
  };
}

test('the steady time follows the clock, and steps of up to an hour', () => {
  const { run, jump, behind } = openClock();
  for (const step of [0, minutes(1), hours(1), -minutes(1), -days(400)]) {
    jump(step);
    expect(behind(), `${step}`).toBe(0);
    run(hours(5));
    expect(behind()).toBe(0);
  }
});

test('a jump ahead counts after 24 hours', () => {
  const { run, jump, behind } = openClock();
  jump(days(365));
  expect(behind()).toBe(days(365));
  run(hours(24) - 1);
  expect(behind()).toBe(days(365));
  run(1);
  expect(behind()).toBe(0);
});

test('a process that began after a jump doubts it as long as an earlier one would have', () => {
  const { clock, run, jump, behind } = openClock();
  clock.beganAfterJump(days(365), hours(20));
  expect(behind()).toBe(days(365));
  run(hours(20) - 1);
  expect(behind()).toBe(days(365));
  run(1);
  expect(behind()).toBe(0);
  clock.beganAfterJump(days(365), hours(20));
  jump(-days(365));
  expect(behind()).toBe(0);
  run(hours(30));
  expect(behind()).toBe(0);
});

test('a jump that is set right again leaves nothing, and the next one is doubted as long', () => {
  const { run, jump, behind } = openClock();
  for (let times = 0; times < 2; times += 1) {
    jump(days(365));
    expect(behind()).toBe(days(365));
    run(hours(20));
    jump(-days(365));
    expect(behind()).toBe(0);
    run(hours(10));
  }
});
