import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { SettingsPath } from '../../../layouts/dashboard/sidebar-nav.ts';

export interface SettingsEntryProps {
  readonly to: SettingsPath;
  readonly name: string;
  /** What is on that page, in a few words. */
  readonly holds: string;
  /** What it is at now, where that is known. */
  readonly value?: string | undefined;
}

export function SettingsEntry({ to, name, holds, value }: SettingsEntryProps) {
  return (
    <Link
      to={to}
      className="flex items-center gap-4 px-4 py-4 -outline-offset-2 transition-colors duration-100 hover:bg-sunken sm:px-5"
    >
      <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:justify-between sm:gap-6">
        <span className="block">
          <span className="block font-medium">{name}</span>
          <span className="block text-pretty text-muted">{holds}</span>
        </span>
        {value !== undefined && (
          <span className="mt-1 block animate-appear figures text-s break-words text-muted sm:mt-0 sm:text-right">
            {value}
          </span>
        )}
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
    </Link>
  );
}
