/** A script of the app failed to load. The message is shown to users. */
export class CodeNotLoaded extends Error {
  override readonly name = 'CodeNotLoaded';
  /** True if a newer version of the app has replaced the script; otherwise the server did not respond, or failed. */
  readonly isReplaced: boolean;

  constructor(isReplaced: boolean, options?: ErrorOptions) {
    super(
      isReplaced
        ? 'A new version is available. Reload the page.'
        : 'No response from server. Please check your connection.',
      options,
    );
    this.isReplaced = isReplaced;
  }
}

/**
 * The build replaces `import()` with calls of this function. If a module fails to load once, a browser does not request
 * it again until the page is reloaded. So the bytes of a script and of its imports are fetched first. That can fail and
 * be repeated, and it leaves them in the browser's cache.
 * @throws {CodeNotLoaded}
 */
async function loadCode(path: string): Promise<unknown> {
  const url = new URL(path, import.meta.url).href;
  if (!isNamedInHead(url)) await fetchCode(url);
  try {
    return await import(/* @vite-ignore */ url);
  } catch {
    // The browser may have failed to preload the script from the page's head.
    await fetchCode(url);
    return import(/* @vite-ignore */ `${url}?again=${(repeats += 1)}`);
  }
}

Object.assign(globalThis, { loadCode });

let repeats = 0;

const isNamedInHead = (url: string): boolean =>
  document.querySelector(`link[rel="modulepreload"][href="${new URL(url).pathname}"]`) !== null;

/**
 * Loads a script and its imports into the browser's cache.
 * @throws {CodeNotLoaded}
 */
export async function fetchCode(path: string): Promise<void> {
  const { href } = new URL(path, import.meta.url);
  const found = new Set([href]);
  for (let some = [href]; some.length > 0;) {
    const imported = (await Promise.all(some.map(importsOf))).flat();
    some = imported.filter((each) => !found.has(each));
    for (const each of some) found.add(each);
  }
}

/** This script is already loaded, and so are its imports. */
const known = new Map([[import.meta.url, Promise.resolve<readonly string[]>([])]]);

function importsOf(url: string): Promise<readonly string[]> {
  const imports = known.get(url) ?? readImports(url);
  known.set(url, imports);
  imports.catch(() => known.delete(url));
  return imports;
}

async function readImports(url: string): Promise<readonly string[]> {
  const answer = await fetch(url).catch((cause: unknown) => {
    throw new CodeNotLoaded(false, { cause });
  });
  if (!answer.ok) throw new CodeNotLoaded(answer.status === 404);
  const text = await answer.text();
  return [...text.matchAll(/(?:from|import)["'](\.\/[\w.-]+-[\w-]{8}\.js)["']/g)].map(
    ([, path = '']) => new URL(path, url).href,
  );
}
