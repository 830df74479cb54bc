/**
 * What signing out would stop. The upload queue is loaded only by the pages that need it, and stands above whatever
 * signs out: so it registers itself here, and as long as it was never there nothing is at stake.
 */
export type Leaving = 'logout' | 'deletion';

export interface UploadStake {
  /** Resolves with whether it may go on: at once where no file would be stopped, else with the person's answer. */
  readonly askToStop: (leaving: Leaving) => Promise<boolean>;
  /** Stops what is on its way and empties the queue. */
  readonly drop: () => void;
}

let stake: UploadStake | undefined;

export function registerUploads(registered: UploadStake): void {
  stake = registered;
}

export const askToStopUploads = async (leaving: Leaving): Promise<boolean> => (await stake?.askToStop(leaving)) ?? true;

export const dropUploads = (): void => stake?.drop();
