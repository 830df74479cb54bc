/** Debian's WebKitGTK in a virtual display, driven by WebDriver (https://www.w3.org/TR/webdriver2/). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import type { Driver } from './driver.ts';
import { startProgram } from './start-program.ts';

/** The key of an element reference (WebDriver, section 12.3). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

export async function openWebKit(): Promise<Driver> {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'holdfast-webkit-'));
  opened.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const screen = opened.use(
    startProgram('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {}),
  );
  const [display] = await screen.said(/^\d+$/);
  const port = await freePort();
  const environment = { DISPLAY: `:${display}`, HOME: home, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' };
  opened.use(startProgram('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], environment));
  const root = `http://127.0.0.1:${port}`;
  await listening(root);

  const call = async <T>(path: string, body: object): Promise<T> => post<T>(`${root}/session${path}`, body);
  const { sessionId } = await call<{ sessionId: string }>('', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: 'dismiss' } },
  });
  const session = <T>(command: string, body: object = {}) => call<T>(`/${sessionId}/${command}`, body);
  const evaluate = <T>(expression: string) => session<T>('execute/sync', { script: `return ${expression}`, args: [] });
  const act = (source: object) => session('actions', { actions: [source] });
  opened.defer(async () => void (await fetch(`${root}/session/${sessionId}`, { method: 'DELETE' })));

  const closing = opened.move();
  return {
    open: (url) => session('url', { url }),
    evaluate,
    async title() {
      const answer = await fetch(`${root}/session/${sessionId}/title`);
      return ((await answer.json()) as { value: string }).value;
    },
    async pressAt({ x, y }) {
      const moves = [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }];
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [...moves, ...press] });
    },
    async type(text) {
      const actions = Array.from(text, (value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]).flat();
      await act({ type: 'key', id: 'keyboard', actions });
    },
    async chooseFiles(input, paths) {
      const element = await evaluate<Record<string, string>>(input);
      await session(`element/${element[elementKey]}/value`, { text: paths.join('\n') });
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function post<T>(address: string, body: object): Promise<T> {
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** WebKitWebDriver prints nothing when it is ready, so this polls its status. */
async function listening(root: string): Promise<void> {
  const until = AbortSignal.timeout(10_000);
  while (
    !(await fetch(`${root}/status`).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    until.throwIfAborted();
}
