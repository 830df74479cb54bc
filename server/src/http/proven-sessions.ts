import { type Clock, minutes } from '../lib/clock.ts';

export interface ProvenSessions {
  add(session: string): void;
  has(session: string): boolean;
  forget(session: string): void;
}

const believedFor = minutes(1);
const most = 20_000;

/** Sessions verified a moment ago. Their requests count against the session before it is looked up again. */
export function createProvenSessions(clock: Pick<Clock, 'elapsed'>): ProvenSessions {
  const provenAt = new Map<string, number>();
  return {
    add(session) {
      // Keeps the session proven longest ago first.
      provenAt.delete(session);
      provenAt.set(session, clock.elapsed());
      const [oldest] = provenAt.keys();
      if (provenAt.size > most && oldest !== undefined) provenAt.delete(oldest);
    },
    has: (session) => clock.elapsed() - (provenAt.get(session) ?? -Infinity) < believedFor,
    forget: (session) => void provenAt.delete(session),
  };
}
