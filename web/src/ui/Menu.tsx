import { clsx } from 'clsx';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { pageContent } from './page-content.ts';

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly defaultOpen?: boolean;
}

export function Menu({ trigger, children, align = 'end', defaultOpen = false }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={pageContent()}>
        <DropdownMenu.Content align={align} sideOffset={4} className={panel}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof DropdownMenu.Item>) {
  return <DropdownMenu.Item className={clsx(item, className)} {...rest} />;
}

const panel = 'z-50 min-w-48 animate-appear rounded-m border border-line bg-surface p-1 text-m text-ink';
const item =
  'flex min-h-control cursor-pointer items-center gap-2.5 rounded-[6px] px-2.5 -outline-offset-2 outline-sea data-highlighted:bg-sunken data-highlighted:outline-2 ' +
  'data-disabled:cursor-not-allowed data-disabled:opacity-50 [&_svg]:size-4';
