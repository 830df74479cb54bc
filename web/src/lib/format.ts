/** Numbers formatted for people: decimal units, two decimals. */
import { unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1_234_567` → `1.23 MB`. */
export const formatSize = (bytes: number): string => inUnits(bytes, 2);

function inUnits(bytes: number, decimals: number): string {
  // 999,995 bytes and more would round to 1000.00 KB, so the next unit starts where the rounding would reach it.
  const step = units.findIndex((_, index) => bytes / 1000 ** index < 1000 - 0.5 / 10 ** decimals);
  const index = step === -1 ? units.length - 1 : step;
  return `${(bytes / 1000 ** index).toFixed(decimals)} ${units[index]}`;
}

/** Space of an account, in megabytes or gigabytes: `144_020_000` → `144.02 MB`, `15_600_770_000` → `15.60 GB`. */
export const formatSpace = (bytes: number): string =>
  bytes < 999_995_000 ? formatMegabytes(bytes) : formatSize(bytes);

/** Bytes, always in megabytes, the unit of the Usage page: `144_020_000` → `144.02 MB`. */
export const formatMegabytes = (bytes: number): string => `${twoDecimals.format(bytes / 1_000_000)} MB`;

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `2_500_000` → `2.5 MB`, `100_000_000` → `100 MB`. */
export const formatShortSize = (bytes: number): string => formatSize(bytes).replace(/\.?0+ /, ' ');

/** Like `formatShortSize`, for a limit. */
export const formatShortLimit = (bytes: number): string => (bytes >= unlimited ? 'Unlimited' : formatShortSize(bytes));

/** Like `formatSize`, for a limit. */
export const formatSizeLimit = (bytes: number): string => (bytes >= unlimited ? 'Unlimited' : formatSize(bytes));

export function formatSpeedLimit(mbps: number | undefined): string {
  if (!mbps) return '0 Mbps';
  return mbps >= unlimitedMbps ? 'Unlimited' : `${mbps} Mbps`;
}

/** Used fraction of a quota, from 0. A quota of zero counts as unused. */
export const share = (used: number, quota: number): number => (quota > 0 ? used / quota : 0);

/** `0.2881` → `28.8%`. */
export const formatPercent = (fraction: number): string => `${(fraction * 100).toFixed(1)}%`;

const grouped = new Intl.NumberFormat('en-US');

/** `12804` → `12,804`. */
export const formatCount = (count: number): string => grouped.format(count);

/** Like `formatCount`, for a limit. */
export const formatCountLimit = (count: number): string => (count >= unlimited ? 'Unlimited' : formatCount(count));

/** `1 file`, `2 files`, `1,200 files`. */
export const formatFiles = (count: number): string => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;

/** Bytes per second of a transfer: `11.4 MB/s`. */
export const formatTransferSpeed = (bytesPerSecond: number): string => `${inUnits(bytesPerSecond, 1)}/s`;

/** Remaining seconds of a transfer: `2 s left`, `3 min left`, `1 h left`, `2 h 5 min left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60 === 0 ? '' : `${minutes % 60} min `}left`;
}
