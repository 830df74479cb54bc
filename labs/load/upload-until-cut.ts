import { type KeptFile, newDraft, uploadDraft } from './kept-files.ts';
import type { Uploader } from '../../server/test/harness/place.ts';
import type { Requests } from './request.ts';

/** An upload that gets no response or is refused has not been acknowledged, and ends the others. */
export interface Uploading {
  /** Resolves when so many uploads are acknowledged, or when they have all ended. */
  acknowledged(count: number): Promise<void>;
  readonly ended: Promise<void>;
}

const sizes = [0, 300, 9_000, 60_000, 200_000];

/** Uploads without a pause, four files at a time for each account, and adds the acknowledged ones to `kept`. */
export function uploadUntilCut(requests: Requests, uploaders: readonly Uploader[], kept: KeptFile[]): Uploading {
  let isCut = false;
  let left = Infinity;
  const reached = Promise.withResolvers<void>();
  const work = async (uploader: Uploader, lane: number) => {
    for (let turn = lane; !isCut; turn += 1) {
      const sent = await uploadDraft(requests, newDraft(uploader, sizes[turn % sizes.length] ?? 0)).catch(() => null);
      if (sent && 'file' in sent) kept.push(sent.file);
      else isCut = true;
      if ((left -= 1) <= 0) reached.resolve();
    }
  };
  const lanes = uploaders.flatMap((uploader) => [0, 1, 2, 3].map((lane) => work(uploader, lane)));
  const ended = Promise.all(lanes).then(() => reached.resolve());
  return {
    acknowledged(count) {
      left = count;
      return reached.promise;
    },
    ended,
  };
}
