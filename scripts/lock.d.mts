/** Runs `work` while no other process of this checkout holds the lock. */
export function exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
