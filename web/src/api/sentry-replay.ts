import { replayIntegration } from '@sentry/browser';

/** What a page looked like and did, with everything that can be read on it masked. */
export const recordPage = () =>
  replayIntegration({
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'value', 'href', 'download'],
    // What is compressed cannot be masked any more, and would need a worker from a `blob:` address.
    useCompression: false,
    networkCaptureBodies: false,
  });
