/**
 * The page's main landmark. Popovers and overlays belong in it: by default they are mounted at the end of the body,
 * outside every landmark, where users who navigate by landmarks never find them.
 */
export const pageContent = (): HTMLElement | null => document.getElementById('content');
