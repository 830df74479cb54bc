import type { FastifyRequest } from 'fastify';
import type { Clock } from '../lib/clock.ts';

/** Milliseconds. The body of a call may arrive long after its head, and what was found then may have changed. */
const believedFor = 1_000;

export interface RequestNotes<T> {
  add(request: FastifyRequest, note: T): void;
  /** Returns what was noted of the request, unless that was too long ago. */
  read(request: FastifyRequest): T | undefined;
}

/** Keeps what one step of a request found out for a later step. */
export function createRequestNotes<T>(clock: Pick<Clock, 'monotonic'>): RequestNotes<T> {
  const notes = new WeakMap<FastifyRequest['raw'], { readonly note: T; readonly at: number }>();
  return {
    add: ({ raw }, note) => void notes.set(raw, { note, at: clock.monotonic() }),
    read({ raw }) {
      const noted = notes.get(raw);
      return noted && clock.monotonic() - noted.at < believedFor ? noted.note : undefined;
    },
  };
}
