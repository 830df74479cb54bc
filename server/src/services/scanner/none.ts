import { type Scanner, ScannerUnavailable } from './scanner.ts';

export function openNoScanner(): Scanner {
  const refuse = async () => {
    throw new ScannerUnavailable('none is configured');
  };
  return { scans: false, scan: refuse, check: refuse };
}
