import type { Metric } from '../monitoring/metrics.ts';
import type { FilesContext } from './context.ts';

export const filesMetrics = ({ replicaWatch }: Pick<FilesContext, 'replicaWatch'>): readonly Metric[] => [
  ['database_up', '1 while the primary database answers.', () => Number(replicaWatch.problems.primary === null)],
  ['replica_used', '1 while links are looked up on the replica.', () => Number(replicaWatch.isFresh())],
  [
    'replica_stale_seconds',
    'For how long the replica may lack changes; +Inf if unknown.',
    () => replicaWatch.staleFor() / 1000,
  ],
];
