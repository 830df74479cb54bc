import type { Toast } from 'react-hot-toast/headless';

/**
 * The place of each toast on the pile, 0 for the one on top: the newest, but what went wrong is never buried under
 * what went well. One that is fading has no place any more.
 */
export function rankToasts(toasts: readonly Pick<Toast, 'id' | 'type' | 'visible'>[]): ReadonlyMap<string, number> {
  const lying = toasts.filter(({ visible }) => visible);
  const topDown = [...lying.filter(({ type }) => type === 'error'), ...lying.filter(({ type }) => type !== 'error')];
  return new Map(topDown.map(({ id }, rank) => [id, rank]));
}
