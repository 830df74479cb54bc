import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { FieldErrors, UseFormReturn } from 'react-hook-form';
import { strengthOf, strengths } from '../lib/password-strength.ts';
import { site } from '../lib/site.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import type { TextFieldProps } from '../ui/TextField.tsx';

interface Passwords {
  readonly password: string;
  readonly password2: string;
}

export interface PasswordTwiceProps {
  readonly label: string;
  readonly form: Pick<UseFormReturn<Passwords>, 'register' | 'trigger'> & {
    readonly getValues: (name: 'password2') => string;
    readonly watch: (name: 'password') => string;
  };
  readonly email?: string;
  readonly errors: FieldErrors<Passwords>;
}

export function PasswordTwice({ label, form, email, errors }: PasswordTwiceProps) {
  // A changed password can make the typed confirmation valid or invalid. An empty confirmation is not reported yet.
  const checkConfirmation = () => form.getValues('password2') !== '' && void form.trigger('password2');
  return (
    <>
      <NewPasswordField
        label={label}
        typed={form.watch('password')}
        email={email}
        error={errors.password?.message}
        {...form.register('password', { onChange: checkConfirmation })}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.password2?.message}
        {...form.register('password2')}
      />
    </>
  );
}

export interface NewPasswordFieldProps extends Omit<TextFieldProps, 'hint' | 'autoComplete'> {
  readonly typed: string;
  readonly email?: string | undefined;
}

/** Field for choosing a new password. Password managers offer to generate one. */
export function NewPasswordField({ typed, email = '', ...field }: NewPasswordFieldProps) {
  return (
    <PasswordField
      autoComplete="new-password"
      meter={<StrengthMeter typed={typed} known={[email, site.name]} />}
      hint={<Rules typed={typed} />}
      {...field}
    />
  );
}

function StrengthMeter({ typed, known }: { readonly typed: string; readonly known: readonly string[] }) {
  const strength = typed === '' ? undefined : strengthOf(typed, known);
  const level = strength === undefined ? 0 : strengths.indexOf(strength) + 1;
  return (
    <div className="mt-0.5 flex h-5 items-center gap-3">
      <div aria-hidden className="grid flex-1 grid-cols-4 gap-1">
        {strengths.map((each, index) => (
          <span key={each} className={clsx('h-1 rounded-full', index < level ? colors[level - 1] : 'bg-line')} />
        ))}
      </div>
      <span className="w-14 text-right text-s text-muted">
        {strength !== undefined && <span className="sr-only">Password strength: </span>}
        {strength ?? 'Strength'}
      </span>
    </div>
  );
}

const colors = ['bg-danger', 'bg-buoy', 'bg-sea', 'bg-sea'];

function Rules({ typed }: { readonly typed: string }) {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-0.5">
      {rules.map(({ text, isMet }) => (
        <span key={text} className={clsx('flex items-center gap-1.5', isMet(typed) && 'text-ink')}>
          {isMet(typed) ? (
            <Check aria-hidden className="size-3.5 text-sea" />
          ) : (
            <span aria-hidden className="mx-1 size-1.5 rounded-full border border-edge" />
          )}
          {text}
        </span>
      ))}
    </span>
  );
}

const rules = [
  { text: '8+ characters', isMet: (typed: string) => typed.length >= 8 },
  { text: 'upper and lower case', isMet: (typed: string) => /[a-z]/.test(typed) && /[A-Z]/.test(typed) },
  { text: 'a number', isMet: (typed: string) => /\d/.test(typed) },
];
