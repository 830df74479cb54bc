import { code } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { OTPInput, REGEXP_ONLY_DIGITS, type SlotProps } from 'input-otp';
import { useId, useRef, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { object } from 'zod/mini';
import { isRefusal, serverMessage } from '../../api/client/errors.ts';
import { useVerifyEmail } from '../../api/account/sign-up.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage, BackToSignIn } from '../../components/AuthPage.tsx';
import { styleNonce } from '../../lib/site.ts';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';
import { ResendCode } from './ResendCode.tsx';

export function VerifyCodePage() {
  const { form, error, attempt, email, codeSentAt, state, busy, submit } = useVerifyForm();
  const { field, fieldState } = useController({ control: form.control, name: 'code' });
  return (
    <AuthPage
      title="Verify Email"
      intro={<Sent to={email} />}
      footer={
        <>
          <ResendCode email={email} sentAt={codeSentAt} />
          <p>
            Wrong address? {/* The state keeps the secret of an invitation. */}
            <Link to="/sign-up" state={state} className={textLink}>
              Sign up again
            </Link>
          </p>
          <BackToSignIn email={email} />
        </>
      }
    >
      <AuthForm
        onSubmit={submit}
        error={error}
        valid={form.formState.isValid}
        busy={busy}
        submit="Verify"
        submitting="Verify"
      >
        {/* Each attempt mounts a new field, which takes the focus. */}
        <CodeInput
          key={attempt}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          disabled={busy}
          error={fieldState.error?.message}
        />
      </AuthForm>
    </AuthPage>
  );
}

interface CodeForm {
  readonly code: string;
}
const codeForm = object({ code });

function useVerifyForm() {
  const [error, setError] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const verify = useVerifyEmail();
  const navigate = useNavigate();
  const { email, codeSentAt, ...state } = useLocation().state;
  const form = useForm({
    resolver: standardSchemaResolver<CodeForm, unknown, CodeForm>(codeForm),
    mode: 'onChange',
    defaultValues: { code: '' },
  });

  const send = async (typed: CodeForm) => {
    setError(undefined);
    try {
      const answer = await verify.mutateAsync(typed.code);
      if (!answer) return;
      toast.success(answer.message || 'Code verified');
      await navigate({ to: '/sign-in', state: { ...state, ...(email && { email }) } });
    } catch (failure) {
      setError(serverMessage(failure, 'Something went wrong, try again later!!'));
      // Users retype a wrong code instead of correcting it.
      if (isRefusal(failure, 'CODE_INVALID') || isRefusal(failure, 'CODE_EXPIRED')) form.reset();
      setAttempt((count) => count + 1);
    }
  };
  return { form, error, attempt, email, codeSentAt, state, busy: verify.isPending, submit: form.handleSubmit(send) };
}

function Sent({ to }: { readonly to: string | undefined }) {
  if (to === undefined) return 'Enter the 6-digit code from the email we sent you.';
  return (
    <>
      Enter the 6-digit code that we sent to <strong className="font-medium wrap-anywhere text-ink">{to}</strong>.
    </>
  );
}

interface CodeInputProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly onBlur: () => void;
  readonly disabled: boolean;
  readonly error: string | undefined;
}

/** Six boxes over one real field, so that paste, autofill and screen readers work with a plain input. */
function CodeInput({ error, ...field }: CodeInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-m font-medium">
        Verification code
      </label>
      <OTPInput
        {...field}
        ref={input}
        id={id}
        onComplete={() => input.current?.form?.requestSubmit()}
        maxLength={6}
        pattern={REGEXP_ONLY_DIGITS}
        pasteTransformer={(text) => text.replace(/\D/g, '')}
        autoComplete="one-time-code"
        // This field is the only purpose of the page.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        nonce={styleNonce}
        noScriptCSSFallback={null}
        containerClassName="group has-disabled:opacity-60"
        render={({ slots }) => <Boxes slots={slots} />}
      />
      <p id={`${id}-note`} className="text-s text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}

function Boxes({ slots }: { readonly slots: readonly SlotProps[] }) {
  return (
    <div aria-hidden className="grid grid-cols-6 gap-2">
      {slots.map((slot, position) => (
        // A box is identified by its position alone.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={position} className={clsx(box, slot.isActive ? 'border-sea outline-2 outline-sea' : 'border-edge')}>
          {slot.char ?? (slot.hasFakeCaret && <span className="h-6 w-px animate-pulse bg-ink" />)}
        </div>
      ))}
    </div>
  );
}

const box = 'grid h-14 place-items-center rounded-m border bg-surface figures text-[22px] font-medium';
