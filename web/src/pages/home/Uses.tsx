import { keyPlaceholder } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { shareXText } from '@holdfast/contract/src/api-docs/sharex.ts';
import { uploadPath } from '@holdfast/contract/src/bare-calls.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { site } from '../../lib/site.ts';

const { origin } = location;

/** Examples of the link in use: how it looks in the places that visitors come from. */
export function Uses() {
  return (
    <section aria-labelledby="uses" className="border-t border-line">
      <div className="mx-auto max-w-[1200px] px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="uses" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Paste it where you need it
        </h2>
        <p className="mt-3 max-w-[56ch] text-[17px] leading-7 text-muted">
          A link is the file itself: no landing page, no countdown, no cookie. Programs download it as if from your own
          server.
        </p>
        <div className="mt-10 grid gap-x-8 gap-y-10 lg:grid-cols-3 lg:grid-rows-[auto_auto_1fr] lg:gap-y-0">
          <Use title="Game servers" file="server.properties" code={properties} copied={`resource-pack=${packLink}`}>
            Packs and maps that players download when they join. Each player gets {site.pricing ? "your plan's" : 'the'}{' '}
            full speed.
          </Use>
          <Use title="Screenshots" file="holdfast.sxcu" code={shareX} copied={shareX}>
            Press the key, paste the link. ShareX uploads with your API key. Get the config file in the{' '}
            <Link to="/api-docs" className="text-sea underline underline-offset-3">
              API docs
            </Link>
            .
          </Use>
          <Use title="Scripts" file="backup.sh" code={curl} copied={curl}>
            One header, one file. The response is the link. Add <Code>.sha256</Code> to get its checksum.
          </Use>
        </div>
      </div>
    </section>
  );
}

const packLink = `${origin}/file/q7Rt2mXa.zip`;

// Breaks the line before the value, not at the hyphen in the name.
const properties = (
  <>
    <span className="whitespace-nowrap">resource-pack=</span>
    <wbr />
    {packLink}
  </>
);

const shareX = shareXText(site.name, { origin, key: keyPlaceholder });

const curl = `curl -H "X-API-Key: $KEY" \\
  -F file=@world.zip \\
  ${origin}${uploadPath}`;

interface UseProps {
  readonly title: string;
  readonly file: string;
  readonly code: ReactNode;
  readonly copied: string;
  readonly children: ReactNode;
}

function Use({ title, file, code, copied, children }: UseProps) {
  return (
    <div className="grid min-w-0 lg:row-span-3 lg:grid-rows-subgrid">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1.5 mb-4 max-w-[52ch] text-m text-muted">{children}</p>
      <figure className="min-w-0 overflow-clip rounded-m border border-line bg-surface">
        <figcaption className="flex items-center justify-between border-b border-line py-1 pr-1 pl-4 font-mono text-s text-muted">
          {file}
          <CopyButton text={copied} label={`Copy ${file}`} />
        </figcaption>
        <pre className="px-4 py-3 text-s leading-6 wrap-anywhere whitespace-pre-wrap">{code}</pre>
      </figure>
    </div>
  );
}

const Code = ({ children }: { readonly children: string }) => <code className="text-s text-ink">{children}</code>;
