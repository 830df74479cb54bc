import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { toast } from '../../ui/toast.tsx';
import { highlight, type TokenKind } from './highlight.ts';

export interface CodePanelProps {
  readonly title: string;
  readonly code: string;
  readonly copied?: string;
  readonly actions?: ReactNode;
}

export function CodePanel({ title, code, copied = code, actions }: CodePanelProps) {
  return (
    <figure className="overflow-clip rounded-m border border-line bg-surface print:break-inside-avoid">
      <figcaption className="flex items-center gap-2 border-b border-line bg-sunken py-0.5 pr-1 pl-4 text-s">
        <span className="mr-auto min-w-0 truncate py-2 text-muted">{title}</span>
        <span className="flex items-center print:hidden">
          {actions}
          <CopyButton text={copied} label={`Copy: ${title}`} onCopied={tell} />
        </span>
      </figcaption>
      {/* Focusable, so that the keyboard can scroll long lines. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={title} className={look}>
        <pre>
          <code>
            {highlight(code).map(({ kind, at, text }) => (
              <span key={at} className={colors[kind]}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </figure>
  );
}

function tell(copied: boolean): void {
  if (copied) toast.success('Copied to clipboard!');
}

const look =
  'max-h-[560px] overflow-auto p-4 text-[12.5px] leading-5 -outline-offset-2 print:max-h-none [&_pre]:print:break-words [&_pre]:print:whitespace-pre-wrap';
const colors = {
  text: '',
  string: 'text-sea',
  word: 'font-semibold',
} satisfies Record<TokenKind, string>;
