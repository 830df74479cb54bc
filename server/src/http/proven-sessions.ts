import { type Clock, minutes } from '../lib/clock.ts';

export interface ProvenSessions {
  add(session: string): void;
  has(session: string): boolean;
  forget(session: string): void;
}

const believedFor = minutes(1);
const most = 20_000;

/** Sessions that were found to exist a moment ago: they are counted by themselves before they are looked up again. */
export function createProvenSessions(clock: Clock): ProvenSessions {
  const provenAt = new Map<string, number>();
  return {
    add(session) {
      // The one that was proven longest ago stands first.
      provenAt.delete(session);
      provenAt.set(session, clock.now());
      const [oldest] = provenAt.keys();
      if (provenAt.size > most && oldest !== undefined) provenAt.delete(oldest);
    },
    has: (session) => clock.now() - (provenAt.get(session) ?? -Infinity) < believedFor,
    forget: (session) => void provenAt.delete(session),
  };
}
