export interface RanAs {
  readonly script: boolean;
  readonly worker: boolean;
  readonly serviceWorker: boolean;
}

/** Reports whether a file runs as code in the page. Evaluated in the page, so it has no outside references. */
export async function loadAsCode(link: string): Promise<RanAs> {
  const loaded = (target: EventTarget) =>
    new Promise<boolean>((resolve) => {
      target.addEventListener('load', () => resolve(true));
      target.addEventListener('message', () => resolve(true));
      target.addEventListener('error', () => resolve(false));
    });
  const startWorker = () => {
    try {
      return loaded(new Worker(link));
    } catch {
      return false;
    }
  };
  const script = Object.assign(document.createElement('script'), { src: link });
  const scriptLoaded = loaded(script);
  document.head.append(script);
  return {
    script: await scriptLoaded,
    worker: await startWorker(),
    serviceWorker: await navigator.serviceWorker.register(link).then(
      () => true,
      () => false,
    ),
  };
}
