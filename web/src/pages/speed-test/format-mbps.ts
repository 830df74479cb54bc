/** Three figures are what such a test can know: `3.98`, `41.2`, `1,830`. */
export function formatMbps(mbps: number): string {
  if (mbps < 10) return mbps.toFixed(2);
  return mbps < 100 ? mbps.toFixed(1) : Math.round(mbps).toLocaleString('en-US');
}
