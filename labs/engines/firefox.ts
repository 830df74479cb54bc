/** Debian's Firefox, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBidi } from './bidi.ts';
import type { Driver } from './driver.ts';
import { startProgram } from './start-program.ts';

interface Answer {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly value?: unknown; readonly sharedId?: string };
  readonly exceptionDetails?: { readonly text: string };
}

export async function openFirefox(): Promise<Driver> {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'holdfast-firefox-'));
  opened.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  await writeFile(join(home, 'user.js'), preferences(home));
  const args = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0'];
  const program = opened.use(
    startProgram('firefox-esr', args, { HOME: home, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' }),
  );
  const [, address = ''] = await program.said(/BiDi listening on (ws:\S+)/);
  const bidi = opened.use(await connectBidi(`${address}/session`));
  await bidi.send('session.new', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'dismiss' } } },
  });
  const { contexts } = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context ?? '';

  /** Runs in a sandbox apart from the page's scripts, so it works on pages that may not run any. */
  async function evaluate(expression: string): Promise<NonNullable<Answer['result']>> {
    const target = { context, sandbox: 'test' };
    const { result, exceptionDetails } = await bidi.send<Answer>('script.evaluate', {
      expression,
      target,
      awaitPromise: true,
    });
    if (!result) throw new Error(`${expression}: ${exceptionDetails?.text}`);
    return result;
  }
  const act = (source: object) => bidi.send('input.performActions', { context, actions: [source] });

  const closing = opened.move();
  return {
    open: async (url) => void (await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate<T>(expression: string) {
      const { value } = await evaluate(`(async () => JSON.stringify((await (${expression})) ?? null))()`);
      return JSON.parse(String(value)) as T;
    },
    title: async () => String((await evaluate('document.title')).value),
    async pressAt({ x, y }) {
      const moves = [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }];
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({ type: 'pointer', id: 'mouse', actions: [...moves, ...press] });
    },
    async type(text) {
      const actions = Array.from(text, (value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]).flat();
      await act({ type: 'key', id: 'keyboard', actions });
    },
    async chooseFiles(input, files) {
      const { sharedId } = await evaluate(input);
      await bidi.send('input.setFiles', { context, element: { sharedId }, files });
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Firefox contacts no Mozilla server, and downloads need no confirmation. */
const preferences = (home: string): string =>
  Object.entries({
    'app.normandy.enabled': false,
    'app.update.disabledForTesting': true,
    'browser.download.dir': home,
    'browser.download.folderList': 2,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'extensions.systemAddon.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
    'toolkit.telemetry.enabled': false,
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
