import type { Leaving } from '../../../api/upload-stake.ts';

/** A question that is on the screen until it is answered. */
export interface StopQuestion {
  /** Resolves with whether the person agrees that the uploads stop; where nothing can show it, they do. */
  readonly ask: (leaving: Leaving) => Promise<boolean>;
  readonly answer: (agreed: boolean) => void;
  /** What the person is about to do, while the question is open. */
  readonly read: () => Leaving | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

export function openStopQuestion(): StopQuestion {
  const listeners = new Set<() => void>();
  let open: { readonly leaving: Leaving; readonly settle: (agreed: boolean) => void } | undefined;
  const show = (next: typeof open) => {
    open = next;
    for (const listener of listeners) listener();
  };
  const answer = (agreed: boolean) => {
    open?.settle(agreed);
    show(undefined);
  };
  return {
    ask(leaving) {
      answer(false);
      // What shows it did not load: nobody could ever answer.
      if (listeners.size === 0) return Promise.resolve(true);
      return new Promise((settle) => show({ leaving, settle }));
    },
    answer,
    read: () => open?.leaving,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
