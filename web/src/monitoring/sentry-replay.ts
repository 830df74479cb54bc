import { replayIntegration } from '@sentry/browser';

/** Session recording of the page, with all text masked. */
export const recordPage = () =>
  replayIntegration({
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'value', 'href', 'download'],
    // Compressed data could no longer be masked, and compression would need a worker from a `blob:` address.
    useCompression: false,
    networkCaptureBodies: false,
  });
