/**
 * Guards the uploads that signing out or a reload would stop. Only the pages that need the queue load it, and it sits
 * above the code that signs out. So it registers its guard here; until it does, there are no uploads to lose.
 */
export type Leaving = 'logout' | 'deletion' | 'reload';

export interface UploadGuard {
  /** Resolves with whether to continue: at once if no file would be stopped, otherwise with the user's choice. */
  readonly askToStop: (leaving: Leaving) => Promise<boolean>;
  /** Stops running uploads and empties the queue. */
  readonly drop: () => void;
}

let guard: UploadGuard | undefined;

export function registerUploadGuard(registered: UploadGuard): void {
  guard = registered;
}

export const askToStopUploads = async (leaving: Leaving): Promise<boolean> => (await guard?.askToStop(leaving)) ?? true;

export const dropUploads = (): void => guard?.drop();

/** Reloads the page, unless files are queued and the user prefers to keep them. */
export async function loadAgain(): Promise<void> {
  if (!(await askToStopUploads('reload'))) return;
  dropUploads();
  location.reload();
}
