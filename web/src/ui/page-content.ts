/**
 * The page's main landmark. What floats over the page belongs in it: at the end of the body, where it would land by
 * itself, it is outside of every landmark, and who moves by landmarks never meets it.
 */
export const pageContent = (): HTMLElement | null => document.getElementById('content');
