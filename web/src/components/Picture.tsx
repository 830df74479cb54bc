import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Spinner } from '../ui/Spinner.tsx';

/** A grey box until the image is there, or if it cannot be loaded. */
export function Picture({ src, name }: { readonly src: string; readonly name: string }) {
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
          className={state === 'shown' ? imageLook : 'sr-only'}
        />
      )}
    </div>
  );
}

const imageLook = 'size-full max-h-48 object-contain';
