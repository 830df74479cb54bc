/** Real browser inputs at a person's pace, which never wait for the effect of the one before. */
import type { CDPSession, Page } from '@holdfast/test-support/open-browser.ts';
import { setTimeout as delay } from 'node:timers/promises';

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Hand {
  click(spot: Spot, held?: 'shift'): void;
  press(key: string, held?: 'control'): void;
  wheel(spot: Spot, deltaY: number): void;
  /** Runs `act` `times` times at a fixed interval, however long the page takes. */
  repeat(times: number, everyMs: number, act: (turn: number) => void): Promise<void>;
  /** Waits until the browser has received everything. */
  rest(): Promise<void>;
}

/** Bit flags of the DevTools protocol. */
const modifiers = { control: 2, shift: 8 } as const;
const virtualKeys: Readonly<Record<string, number>> = { Backspace: 8, Tab: 9, Escape: 27 };

export async function openHand(page: Page): Promise<Hand> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const sent: Promise<unknown>[] = [];
  return {
    click({ x, y }, held) {
      const at = { x, y, modifiers: held ? modifiers[held] : 0 };
      const button = { ...at, button: 'left', clickCount: 1 } as const;
      sent.push(
        session.send('Input.dispatchMouseEvent', { ...at, type: 'mouseMoved' }),
        session.send('Input.dispatchMouseEvent', { ...button, type: 'mousePressed' }),
        session.send('Input.dispatchMouseEvent', { ...button, type: 'mouseReleased' }),
      );
    },
    press(key, held) {
      const isLetter = /^[a-z]$/.test(key);
      const keyed = {
        key,
        code: isLetter ? `Key${key.toUpperCase()}` : key,
        windowsVirtualKeyCode: isLetter ? key.toUpperCase().charCodeAt(0) : (virtualKeys[key] ?? 0),
        modifiers: held ? modifiers[held] : 0,
      };
      const text = isLetter && !held ? { text: key } : {};
      sent.push(
        session.send('Input.dispatchKeyEvent', {
          ...keyed,
          ...text,
          type: isLetter && !held ? 'keyDown' : 'rawKeyDown',
        }),
        session.send('Input.dispatchKeyEvent', { ...keyed, type: 'keyUp' }),
      );
    },
    wheel({ x, y }, deltaY) {
      sent.push(session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY }));
    },
    async repeat(times, everyMs, act) {
      const start = performance.now();
      for (let turn = 0; turn < times; turn += 1) {
        act(turn);
        await delay(Math.max(0, start + (turn + 1) * everyMs - performance.now()));
      }
    },
    async rest() {
      await Promise.all(sent.splice(0));
    },
  };
}
