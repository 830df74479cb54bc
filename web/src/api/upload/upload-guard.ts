/**
 * Guards the uploads that signing out or a reload would stop. Only the pages that need the queue load it, so its dialog
 * registers here; until it does, there are no uploads to lose.
 */
export type Leaving = 'logout' | 'deletion' | 'reload';

interface UploadGuard {
  /**
   * Resolves with whether to continue: at once if no file would be stopped, otherwise with the user's choice. `signal`
   * ends the question.
   */
  readonly askToStop: (leaving: Leaving, signal: AbortSignal) => Promise<boolean>;
  /** Whether files are queued that are not stored, failed ones too. */
  readonly hasUnstored: () => boolean;
  readonly drop: () => void;
}

let guard: UploadGuard | undefined;

export const wouldLoseFiles = (): boolean => guard?.hasUnstored() ?? false;

/**
 * For a click on a link out of the app: opens it in another tab if the queue would be lost. Buying space for the files in
 * the queue must not empty it.
 */
export function keepUploads({ currentTarget }: { readonly currentTarget: HTMLAnchorElement }): void {
  currentTarget.target = wouldLoseFiles() ? '_blank' : '';
}

/** Returns a function that ends the guard. */
export function guardUploads(registered: UploadGuard): () => void {
  guard = registered;
  return () => {
    if (guard === registered) guard = undefined;
  };
}

export const askToStopUploads = async (leaving: Leaving, signal: AbortSignal): Promise<boolean> =>
  (await guard?.askToStop(leaving, signal)) ?? true;

export const dropUploads = (): void => guard?.drop();

/** Reloads the page, unless files are queued and the user prefers to keep them. */
export async function loadAgain(signal: AbortSignal): Promise<void> {
  if (!(await askToStopUploads('reload', signal))) return;
  dropUploads();
  location.reload();
}
