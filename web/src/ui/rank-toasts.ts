import type { Toast } from 'react-hot-toast/headless';

/**
 * The position of each toast in the pile, 0 for the top. The newest is on top, but an error is never covered by a
 * success. A toast that is fading out has no position.
 */
export function rankToasts(toasts: readonly Pick<Toast, 'id' | 'type' | 'visible'>[]): ReadonlyMap<string, number> {
  const lying = toasts.filter(({ visible }) => visible);
  const topDown = [...lying.filter(({ type }) => type === 'error'), ...lying.filter(({ type }) => type !== 'error')];
  return new Map(topDown.map(({ id }, rank) => [id, rank]));
}
