import { expect } from 'vitest';
import type { Driver } from './driver.ts';

interface Player {
  readonly duration: number;
  readonly time: number;
  readonly paused: boolean;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const player = `document.querySelector('video, audio')`;
const stateOfPlayer = `(({ duration, currentTime: time, paused }, box) => ({ duration, time, paused, box }))(
  ${player}, ${player}.getBoundingClientRect().toJSON())`;

/**
 * Uses the player of a 10-second file in its own tab as a user would. Its controls belong to the browser and are hidden
 * from every script, so only a real press shows that they work.
 */
export async function expectUsablePlayer(driver: Driver): Promise<void> {
  const state = () => driver.evaluate<Player>(stateOfPlayer);
  const time = async () => (await state()).time;
  await expect.poll(state).toMatchObject({ duration: expect.closeTo(10, 0) });
  await driver.evaluate(`${player}.pause()`);
  await driver.evaluate(`${player}.currentTime = 1`);
  // Wide enough for every engine to show the seek bar.
  await driver.evaluate(`${player}.videoWidth && (${player}.style.cssText = 'width: 640px; height: 480px')`);
  await expect.poll(state).toMatchObject({ paused: true, time: expect.closeTo(1, 0) });
  await expect.poll(state).toMatchObject({ box: { width: expect.toSatisfy((width: number) => width >= 640) } });

  const { x, y, width, height } = (await state()).box;
  await driver.pressAt({ x: x + width / 2, y: y + height - 20 });
  await expect.poll(time).toSatisfy((reached: number) => reached > 4 && reached < 9);
  const reached = await time();
  await driver.evaluate(`void ${player}.play()`);
  await expect.poll(time).toBeGreaterThan(reached + 0.3);
}
