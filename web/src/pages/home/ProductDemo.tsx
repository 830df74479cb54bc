import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card.tsx';

/** An illustration of the product: one file during its upload, two with their links. */
export function ProductDemo() {
  return (
    <figure>
      <figcaption className="sr-only">
        An upload queue: one file is at 68 %, two are finished and show their links.
      </figcaption>
      <Card aria-hidden className="divide-y divide-line px-5 py-1.5">
        <DemoFile name="kelp-forest-pack-1.21.zip" size="84.20 MB">
          <div className="h-1 overflow-hidden rounded-full bg-sunken">
            <div className="h-full w-[68%] bg-sea" />
          </div>
          <div className="mt-1.5 flex justify-between figures text-[12.5px] text-muted">
            <span>68 % · 11.40 MB/s</span>
            <span>2 s left</span>
          </div>
        </DemoFile>
        <DemoFile name="boot-sequence.mp4" size="41.73 MB">
          <DemoLink path="q7Rt2mXa.mp4" copied />
        </DemoFile>
        <DemoFile name="server-icon.png" size="18.02 KB">
          <DemoLink path="Zk0vB91e.png" />
        </DemoFile>
      </Card>
    </figure>
  );
}

interface DemoFileProps {
  readonly name: string;
  readonly size: string;
  readonly children: ReactNode;
}

function DemoFile({ name, size, children }: DemoFileProps) {
  return (
    <div className="py-3.5">
      <div className="mb-2 flex justify-between gap-4 text-m">
        <span className="truncate">{name}</span>
        <span className="shrink-0 figures text-s text-muted">{size}</span>
      </div>
      {children}
    </div>
  );
}

function DemoLink({ path, copied = false }: { readonly path: string; readonly copied?: boolean }) {
  const Icon = copied ? Check : Copy;
  return (
    <div className="flex items-center justify-between gap-3 rounded-m bg-sunken py-2 pr-2.5 pl-3 font-mono text-s">
      <span className="truncate">
        <span className="text-muted">
          <span className="max-sm:hidden">files.holdfast.example</span>/file/
        </span>
        {path}
      </span>
      <span className={copied ? 'flex items-center gap-1.5 text-sea' : 'text-muted'}>
        {copied && 'Copied'}
        <Icon className="size-3.5" />
      </span>
    </div>
  );
}
