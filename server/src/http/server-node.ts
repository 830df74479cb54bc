import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import type { PrivatePage, PrivatePort } from './private-port.ts';

/** A kind of server, with its engines open. */
export interface ServerNode {
  readonly context: Pick<Context, 'config' | 'origins' | 'log' | 'reports' | 'tally'> & AsyncDisposable;
  /** @throws {OtherStorage} when the storage belongs to another service. */
  checkStorage(): Promise<void>;
  /** Builds the app that then listens. */
  open(): Promise<FastifyInstance>;
  /** Returns null if METRICS_PORT is not set. */
  openMonitoring(stopping: AbortSignal): Promise<PrivatePort | null>;
  /** Whether this process could serve. */
  readonly readyz: () => Promise<PrivatePage>;
  /** Looks at what this process itself has to know, while it serves. */
  afterStart(): void;
  /** Returns the lines that a start prints. */
  greeting(address: string): Promise<string>;
}
