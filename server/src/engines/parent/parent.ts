/**
 * The port of a worker to its parent: the process that started several servers behind one port. Without `WORKERS` a
 * process has no parent. The parent outlives its workers and does for them what concerns them all: it asks and tells the
 * others.
 */
import type { MessageCalls } from '../../lib/message-calls.ts';

export interface Parent {
  /** From 1. A worker that replaces another one has its number. */
  readonly number: number;
  /** Rejects with OtherProcessEnded when the parent has ended. */
  readonly call: MessageCalls<ParentFunctions>['call'];
  /** Calls `stop` when this worker has to end, because the parent says so or has ended. */
  readonly onStop: (stop: (how: Stop) => void) => void;
  /** Calls `note` with ids that have changed in another worker. */
  readonly onChanged: (note: (ids: readonly string[]) => void) => void;
  /** Lets the parent ask for these reports. */
  readonly onReport: (reports: Reports) => void;
  /** Ends the connection with the parent, so that the process can end. */
  readonly leave: () => void;
}

/** The functions of the parent that a worker calls. */
export interface ParentFunctions {
  /** The worker has opened its engines and may listen now. Returns whether it must be ready first, because others serve. */
  opened(input: null): { readonly whenReady: boolean };
  /** It listens. `greeting` is what a start prints. */
  listens(input: { readonly greeting: string }): null;
  failed(input: FailedStart): null;
  /** Asks all workers for a report. */
  reports(input: { readonly of: keyof Reports }): AllReports;
  /** Tells the other workers that these ids have changed. */
  changed(input: { readonly ids: readonly string[] }): null;
  /** The worker has served its last response. */
  ends(input: { readonly tally: Tally }): null;
}

/** The functions of a worker that the parent calls. */
export interface WorkerFunctions {
  stop(input: { readonly how: Stop }): null;
  report(input: { readonly of: keyof Reports }): unknown;
  changed(input: { readonly ids: readonly string[] }): null;
}

export interface FailedStart {
  readonly reason: string;
  /** Whether an operator can fix it, and another start cannot. */
  readonly isSetting: boolean;
}

/**
 * `terminate`: calls still arrive for a while. `interrupt`: nobody waits for that in a terminal. `hand over`: other
 * workers serve the same port, so transfers under way have more time.
 */
export type Stop = 'terminate' | 'interrupt' | 'hand over';

/** What a worker tells about itself. */
export interface Reports {
  readonly livez: () => Promise<Page>;
  readonly readyz: () => Promise<Page>;
  readonly metrics: () => Promise<Measures>;
}

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface Measures {
  readonly tally: Tally;
  readonly wrongPrices: number;
  /** Metrics of the process itself, in the format of Prometheus. */
  readonly process: string;
}

/** Counts since a process started. */
export interface Tally {
  readonly uploads: number;
  readonly uploadedBytes: number;
  readonly downloads: number;
  readonly refusedConnections: number;
}

export interface AllReports {
  /** One for each worker that serves or should serve, in the order of their numbers. */
  readonly workers: readonly {
    readonly number: number;
    /** Null if the worker does not respond, or is being started. */
    readonly report: unknown;
  }[];
  /** The sums of all workers since the parent started, as far as they told them. */
  readonly tally: Tally;
}
