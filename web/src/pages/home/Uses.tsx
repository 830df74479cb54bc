import { uploadPath } from '@holdfast/contract/src/upload-path.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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
          A link is the file itself: no landing page, no countdown, no cookie. Programs fetch it as they would from your
          own server.
        </p>
        <div className="mt-10 grid gap-x-8 gap-y-10 lg:grid-cols-3">
          <Use title="Game servers" file="server.properties" code={properties}>
            Packs and maps that players fetch as they join. The speed {site.pricing && 'of your plan '}is for each
            player, not shared among them.
          </Use>
          <Use title="Screenshots" file="ShareX" code={shareX}>
            Press the key, paste the link. ShareX uploads with your API key; the{' '}
            <Link to="/api-docs" className="text-sea underline underline-offset-3">
              API docs
            </Link>{' '}
            have what it needs.
          </Use>
          <Use title="Scripts" file="backup.sh" code={curl}>
            One header, one file. The response is the link. Add <Code>.sha256</Code> to get its checksum.
          </Use>
        </div>
      </div>
    </section>
  );
}

// Breaks the line before the value, not at the hyphen in the name.
const properties = (
  <>
    <span className="whitespace-nowrap">resource-pack=</span>
    <wbr />
    {`${origin}/file/q7Rt2mXa.zip`}
  </>
);

const shareX = `"RequestURL": "${origin}${uploadPath}",
"Headers": { "X-API-Key": "…" },
"FileFormName": "file",
"URL": "{json:url}"`;

const curl = `curl -H "X-API-Key: $KEY" \\
  -F file=@world.zip \\
  ${origin}${uploadPath}`;

interface UseProps {
  readonly title: string;
  readonly file: string;
  readonly code: ReactNode;
  readonly children: ReactNode;
}

function Use({ title, file, code, children }: UseProps) {
  return (
    <div className="flex min-w-0 flex-col">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1.5 mb-4 max-w-[52ch] text-m text-muted">{children}</p>
      <figure className="mt-auto overflow-hidden rounded-m border border-line bg-surface">
        <figcaption className="border-b border-line px-4 py-2 font-mono text-s text-muted">{file}</figcaption>
        <pre className="px-4 py-3 text-s leading-6 wrap-anywhere whitespace-pre-wrap lg:min-h-36">{code}</pre>
      </figure>
    </div>
  );
}

const Code = ({ children }: { readonly children: string }) => <code className="text-s text-ink">{children}</code>;
