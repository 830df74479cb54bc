import { useEffect, useState } from 'react';

/** Formats seconds as m:ss. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whole seconds until a time, never below zero. */
const secondsUntil = (moment: number, now: number): number => Math.max(0, Math.ceil((moment - now) / 1000));

/**
 * Seconds left until a time, given in milliseconds. It uses the clock, so that a tab shows the right value after sleep.
 */
export function useCountdown(firstEnd: number): readonly [seconds: number, restart: (end: number) => void] {
  const [end, setEnd] = useState(firstEnd);
  const [now, setNow] = useState(Date.now);
  const left = secondsUntil(end, now);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  const restart = (newEnd: number) => {
    setNow(Date.now());
    setEnd(newEnd);
  };
  return [left, restart];
}
