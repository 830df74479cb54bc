import type { Context } from '../context.ts';
import type { Peer } from '../engines/peers/peers.ts';

/** Returns the processes that serve the database now, those that have run longest first. */
export const listNodes = ({ peers }: Pick<Context, 'peers'>): Promise<Peer[]> => peers.list();
