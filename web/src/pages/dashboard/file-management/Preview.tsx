import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { previewLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import type { RowProps } from './list-props.ts';

/** What spec section 2 shows as an image. */
const images = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp']);

type PreviewProps = Pick<RowProps, 'file' | 'rule'>;

export function Preview({ file, rule }: PreviewProps) {
  return (
    <>
      {images.has(file.extension) ? (
        <Picture src={previewLink(file, rule)} name={shownName(file.original_name)} />
      ) : (
        <p className="px-3 pt-3 text-muted">Preview unavailable for this file type</p>
      )}
      <p className="px-3 py-2.5 break-words">
        <bdi>{shownName(file.original_name)}</bdi>
      </p>
    </>
  );
}

function Picture({ src, name }: { readonly src: string; readonly name: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  return (
    <div className="grid h-48 place-items-center border-b border-line bg-sunken text-muted *:[grid-area:1/1]">
      {state === 'loading' && <Spinner />}
      {state === 'failed' ? (
        <ImageOff aria-label="The preview could not be loaded" className="size-6" />
      ) : (
        <img
          src={src}
          alt={`Preview of ${name}`}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
          className={state === 'shown' ? image : 'sr-only'}
        />
      )}
    </div>
  );
}

const image = 'size-full max-h-48 object-contain';
