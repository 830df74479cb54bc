import { type Clock, minutes } from '../lib/clock.ts';

export interface ProvenCredentials {
  add(credential: string): void;
  has(credential: string): boolean;
  forget(credential: string): void;
}

const believedFor = minutes(1);
const most = 20_000;

/** Sessions and keys verified a moment ago. Their requests count against them before they are looked up again. */
export function createProvenCredentials(clock: Pick<Clock, 'monotonic'>): ProvenCredentials {
  const provenAt = new Map<string, number>();
  return {
    add(credential) {
      // Keeps the one proven longest ago first.
      provenAt.delete(credential);
      provenAt.set(credential, clock.monotonic());
      const [oldest] = provenAt.keys();
      if (provenAt.size > most && oldest !== undefined) provenAt.delete(oldest);
    },
    has: (credential) => clock.monotonic() - (provenAt.get(credential) ?? -Infinity) < believedFor,
    forget: (credential) => void provenAt.delete(credential),
  };
}
