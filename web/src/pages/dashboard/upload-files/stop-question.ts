import type { Leaving } from '../../../api/upload/upload-guard.ts';

/** A confirmation that stays on screen until the user answers it. */
export interface StopQuestion {
  /**
   * Resolves with whether the user agrees to stop the uploads. While the page cannot show the question, the browser asks
   * it.
   */
  readonly ask: (leaving: Leaving) => Promise<boolean>;
  readonly answer: (agreed: boolean) => void;
  /** The pending action, while the question is open. */
  readonly read: () => Leaving | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

const inBrowser = {
  logout: 'Log out and stop the uploads?',
  reload: 'Load the page again and stop the uploads?',
  deletion: 'Delete the account and stop the uploads?',
} as const;

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
      // The dialog is still loading, or it failed to load, so the user could not answer.
      if (listeners.size === 0) return Promise.resolve(confirm(inBrowser[leaving]));
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
