import { clsx } from 'clsx';
import { OTPInput, REGEXP_ONLY_DIGITS, type SlotProps } from 'input-otp';
import { useId } from 'react';
import { styleNonce } from '../../lib/style-nonce.ts';

export interface CodeInputProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly onBlur: () => void;
  readonly disabled: boolean;
  readonly error: string | undefined;
}

/** Six boxes over one real field, so that paste, autofill and screen readers meet a plain input. */
export function CodeInput({ error, ...field }: CodeInputProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-m font-medium">
        Verification code
      </label>
      <OTPInput
        {...field}
        id={id}
        maxLength={6}
        pattern={REGEXP_ONLY_DIGITS}
        pasteTransformer={(text) => text.replace(/\D/g, '')}
        autoComplete="one-time-code"
        // The page asks for this one thing.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        nonce={styleNonce}
        noScriptCSSFallback={null}
        containerClassName="group has-disabled:opacity-60"
        render={({ slots }) => <Boxes slots={slots} />}
      />
      <p id={`${id}-note`} className="min-h-5 text-s text-danger">
        {error}
      </p>
    </div>
  );
}

function Boxes({ slots }: { readonly slots: readonly SlotProps[] }) {
  return (
    <div aria-hidden className="grid grid-cols-6 gap-2">
      {slots.map((slot, position) => (
        // A box is its position: there is nothing else to tell them apart.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={position} className={clsx(box, slot.isActive ? 'border-sea outline-2 outline-sea' : 'border-edge')}>
          {slot.char ?? (slot.hasFakeCaret && <span className="h-6 w-px animate-pulse bg-ink" />)}
        </div>
      ))}
    </div>
  );
}

const box = 'grid h-14 place-items-center rounded-m border bg-surface figures text-[22px] font-medium';
