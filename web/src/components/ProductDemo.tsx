import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { site } from '../lib/site.ts';
import { Card } from '../ui/Card.tsx';

/** An illustration of the product: one file whose upload ends once, two with their links. */
export function ProductDemo() {
  return (
    <figure>
      <figcaption className="sr-only">
        An upload queue: one file is uploading, two are finished and show their links.
      </figcaption>
      <Card aria-hidden className="divide-y divide-line px-5 py-1.5">
        <DemoFile name="kelp-forest-pack-1.21.zip" size="84.20 MB">
          <div className="grid items-center *:[grid-area:1/1]">
            <div className="motion-safe:animate-demo-leave">
              <div className="h-1 overflow-hidden rounded-full bg-sunken">
                <div className="h-full origin-left scale-x-68 bg-sea motion-safe:animate-demo-bar" />
              </div>
              <div className="mt-1.5 flex justify-between figures text-[12.5px] text-muted">
                <span className="demo-percent motion-safe:animate-demo-percent" />
                <span>11.40 MB/s</span>
              </div>
            </div>
            <div className="opacity-0 motion-safe:animate-demo-arrive">
              <DemoLink path="w4Np7sLd.zip" />
            </div>
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

const { host } = new URL(site.fileOrigins[0] ?? location.origin);

function DemoLink({ path, copied = false }: { readonly path: string; readonly copied?: boolean }) {
  const Icon = copied ? Check : Copy;
  return (
    <div className="flex items-center justify-between gap-3 rounded-m bg-sunken py-2 pr-2.5 pl-3 font-mono text-s">
      <span className="flex min-w-0">
        <span className="truncate text-muted max-sm:hidden">{host}</span>
        <span className="text-muted">/file/</span>
        {path}
      </span>
      <span className={copied ? 'flex shrink-0 items-center gap-1.5 text-sea' : 'shrink-0 text-muted'}>
        {copied && 'Copied'}
        <Icon className="size-3.5" />
      </span>
    </div>
  );
}
