import { expect, test } from 'vitest';
import {
  formatFiles,
  formatMegabytes,
  formatPercent,
  formatSize,
  formatSpeedLimit,
  formatTimeLeft,
  formatTransferSpeed,
  share,
} from './format.ts';

test.each([
  [0, '0.00 B'],
  [999, '999.00 B'],
  [1000, '1.00 KB'],
  [18_020, '18.02 KB'],
  [84_204_999, '84.20 MB'],
  [2_000_000_000, '2.00 GB'],
  [3_500_000_000_000, '3.50 TB'],
  [4_200_000_000_000_000, '4200.00 TB'],
])('%d bytes read as %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));

test('a size that would round up to 1000 uses the next unit', () => {
  expect(formatSize(999_994)).toBe('999.99 KB');
  expect(formatSize(999_996)).toBe('1.00 MB');
  expect(formatSize(999_999_999)).toBe('1.00 GB');
});

test('the usage page shows every size in megabytes', () => {
  expect(formatMegabytes(4_110)).toBe('0.00 MB');
  expect(formatMegabytes(25_000_000_000)).toBe('25,000.00 MB');
});

test('a download speed is in Mbps, Unlimited from 1000 on, and 0 Mbps if missing', () => {
  expect(formatSpeedLimit(4)).toBe('4 Mbps');
  expect(formatSpeedLimit(999)).toBe('999 Mbps');
  expect(formatSpeedLimit(1000)).toBe('Unlimited');
  expect(formatSpeedLimit(2500)).toBe('Unlimited');
  expect(formatSpeedLimit(0)).toBe('0 Mbps');
  expect(formatSpeedLimit(undefined)).toBe('0 Mbps');
});

test('percent used has one decimal, and a quota of zero gives 0', () => {
  expect(formatPercent(share(144_020_000, 500_000_000))).toBe('28.8%');
  expect(formatPercent(share(37, 500))).toBe('7.4%');
  expect(formatPercent(share(5, 0))).toBe('0.0%');
});

test('counts of files have a singular and a plural', () => {
  expect(formatFiles(1)).toBe('1 file');
  expect(formatFiles(1200)).toBe('1,200 files');
});

test('a transfer shows its speed and the time left', () => {
  expect(formatTransferSpeed(11_400_000)).toBe('11.4 MB/s');
  expect(formatTransferSpeed(999_949)).toBe('999.9 KB/s');
  expect(formatTransferSpeed(999_960)).toBe('1.0 MB/s');
  expect(formatTimeLeft(0)).toBe('1 s left');
  expect(formatTimeLeft(59.2)).toBe('60 s left');
  expect(formatTimeLeft(61)).toBe('2 min left');
  expect(formatTimeLeft(3_540)).toBe('59 min left');
  expect(formatTimeLeft(3_541)).toBe('1 h left');
  expect(formatTimeLeft(7_200)).toBe('2 h left');
  expect(formatTimeLeft(7_500)).toBe('2 h 5 min left');
});
